package dev.sluice.planner.batching;

import java.util.Arrays;

/**
 * Which nodes may go together. Immutable.
 *
 * <p>A limit of one is kept as pairs in a matrix, whatever the number of partitions behind it; a
 * limit with slack is kept as its set of nodes, each distinct one once.
 */
public final class Puzzle {

  final int nodes;
  final int sizeMax;
  final int[] weights;
  final BitMatrix conflicts;
  final BitMatrix sharing;
  final int limits;
  final int[] members;
  final int[] offsets;
  final int[] slacks;
  final int[] incident;
  final int[] incidentOffsets;

  private Puzzle(Builder from, int sizeMax) {
    if (sizeMax < 1) {
      throw new IllegalArgumentException("expected batches of at least 1, found " + sizeMax);
    }
    this.sizeMax = sizeMax;
    nodes = from.nodes;
    weights = from.weights;
    conflicts = from.conflicts;
    sharing = from.sharing;
    limits = from.limits;
    members = Arrays.copyOf(from.members, from.offsets[limits]);
    offsets = Arrays.copyOf(from.offsets, limits + 1);
    slacks = Arrays.copyOf(from.slacks, limits);
    incidentOffsets = new int[nodes + 1];
    for (int member : members) {
      incidentOffsets[member + 1]++;
    }
    for (int i = 0; i < nodes; i++) {
      incidentOffsets[i + 1] += incidentOffsets[i];
    }
    incident = new int[members.length];
    int[] next = Arrays.copyOf(incidentOffsets, nodes);
    for (int limit = 0; limit < limits; limit++) {
      for (int at = offsets[limit]; at < offsets[limit + 1]; at++) {
        incident[next[members[at]]++] = limit;
      }
    }
  }

  /**
   * Begins a puzzle.
   *
   * @param nodes how many there are, numbered from 0
   */
  public static Builder builder(int nodes) {
    int[] ones = new int[nodes];
    Arrays.fill(ones, 1);
    return new Builder(nodes, ones);
  }

  /** The same limits between groups of nodes, of which no two of a group share a limit. */
  Puzzle between(int[] group, int groups) {
    int[] sizes = new int[groups];
    for (int node = 0; node < nodes; node++) {
      sizes[group[node]] += weights[node];
    }
    Builder grouped = new Builder(groups, sizes);
    for (int node = 0; node < nodes; node++) {
      for (int other = conflicts.next(node, 0);
          other >= 0;
          other = conflicts.next(node, other + 1)) {
        grouped.pair(group[node], group[other]);
      }
    }
    int[] mapped = new int[nodes];
    for (int limit = 0; limit < limits; limit++) {
      int count = 0;
      for (int at = offsets[limit]; at < offsets[limit + 1]; at++) {
        mapped[count++] = group[members[at]];
      }
      grouped.atMost(slacks[limit], mapped, count);
    }
    return grouped.build(sizeMax);
  }

  /** The puzzle in which nodes that share anything may not go together. */
  Puzzle strict() {
    Builder strict = new Builder(nodes, weights);
    strict.conflicts.copy(sharing);
    strict.sharing.copy(sharing);
    return strict.build(sizeMax);
  }

  /** Takes limits in, one at a time. */
  public static final class Builder {
    private final int nodes;
    private final int[] weights;
    private final BitMatrix conflicts;
    private final BitMatrix sharing;
    private int[] members = new int[64];
    private int[] offsets = new int[17];
    private int[] slacks = new int[16];
    private int[] table = new int[32];
    private int limits;

    private Builder(int nodes, int[] weights) {
      this.nodes = nodes;
      this.weights = weights;
      this.conflicts = new BitMatrix(nodes);
      this.sharing = new BitMatrix(nodes);
    }

    /**
     * At most {@code slack} of the first {@code count} of {@code set} may go together.
     *
     * @param slack at least 1; a limit that nobody can break is left out
     */
    public void atMost(int slack, int[] set, int count) {
      if (slack < 1 || count <= slack) {
        return;
      }
      if (slack == 1) {
        allPairs(set, count, conflicts);
        allPairs(set, count, sharing);
        return;
      }
      Arrays.sort(set, 0, count);
      if (addUnlessKnown(slack, set, count)) {
        allPairs(set, count, sharing);
      }
    }

    /**
     * The puzzle.
     *
     * @param sizeMax the most nodes of one batch, at least 1
     */
    public Puzzle build(int sizeMax) {
      return new Puzzle(this, sizeMax);
    }

    private void pair(int one, int other) {
      conflicts.set(one, other);
      sharing.set(one, other);
    }

    private static void allPairs(int[] set, int count, BitMatrix in) {
      for (int i = 1; i < count; i++) {
        for (int j = 0; j < i; j++) {
          in.set(set[i], set[j]);
        }
      }
    }

    private boolean addUnlessKnown(int slack, int[] set, int count) {
      int at = slot(slack, set, count);
      if (table[at] != 0) {
        return false;
      }
      int from = offsets[limits];
      if (from + count > members.length) {
        members = Arrays.copyOf(members, Math.max(from + count, 2 * members.length));
      }
      if (limits == slacks.length) {
        slacks = Arrays.copyOf(slacks, 2 * limits);
        offsets = Arrays.copyOf(offsets, 2 * limits + 1);
      }
      System.arraycopy(set, 0, members, from, count);
      slacks[limits] = slack;
      offsets[++limits] = from + count;
      table[at] = limits;
      if (2 * limits > table.length) {
        rehash();
      }
      return true;
    }

    private int slot(int slack, int[] set, int count) {
      int at = start(slack, set, 0, count);
      while (table[at] != 0 && !sameAs(table[at] - 1, slack, set, count)) {
        at = (at + 1) & (table.length - 1);
      }
      return at;
    }

    private boolean sameAs(int limit, int slack, int[] set, int count) {
      return slacks[limit] == slack
          && Arrays.equals(members, offsets[limit], offsets[limit + 1], set, 0, count);
    }

    private int start(int slack, int[] set, int from, int to) {
      int hash = slack;
      for (int i = from; i < to; i++) {
        hash = 31 * hash + set[i];
      }
      hash *= 0x9E3779B9;
      return (hash ^ (hash >>> 15)) & (table.length - 1);
    }

    private void rehash() {
      table = new int[2 * table.length];
      for (int limit = 0; limit < limits; limit++) {
        int at = start(slacks[limit], members, offsets[limit], offsets[limit + 1]);
        while (table[at] != 0) {
          at = (at + 1) & (table.length - 1);
        }
        table[at] = limit + 1;
      }
    }
  }
}
