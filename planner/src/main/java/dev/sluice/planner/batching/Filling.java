package dev.sluice.planner.batching;

import java.util.Arrays;
import java.util.BitSet;

/** Puts the nodes of one puzzle into batches, one node at a time. Lives as long as one filling. */
final class Filling {

  private final Puzzle puzzle;
  private final int[] batchOf;
  private final BitSet[] forbidden;
  private final int[] sizes;
  private int batches;
  private long work;

  Filling(Puzzle puzzle) {
    this.puzzle = puzzle;
    this.batchOf = new int[puzzle.nodes];
    this.forbidden = new BitSet[puzzle.nodes];
    this.sizes = new int[puzzle.nodes];
    Arrays.fill(batchOf, -1);
    Arrays.setAll(forbidden, _ -> new BitSet());
  }

  /** The node that has the fewest batches left to go to, first; then the one that shares most. */
  Filled bySaturation() {
    int[] degree = new int[puzzle.nodes];
    Arrays.setAll(degree, puzzle.sharing::count);
    for (int step = 0; step < puzzle.nodes; step++) {
      int best = -1;
      int bestSaturation = -1;
      for (int node = 0; node < puzzle.nodes; node++) {
        if (batchOf[node] >= 0) {
          continue;
        }
        int saturation = forbidden[node].cardinality();
        if (saturation > bestSaturation
            || (saturation == bestSaturation && degree[node] > degree[best])) {
          best = node;
          bestSaturation = saturation;
        }
      }
      put(best);
    }
    return filled();
  }

  /** In a given order. An order that keeps the batches of a filling together needs no more. */
  Filled inOrder(int[] order) {
    for (int node : order) {
      put(node);
    }
    return filled();
  }

  private Filled filled() {
    return new Filled(batchOf, batches, work);
  }

  private void put(int node) {
    int batch = forbidden[node].nextClearBit(0);
    while (batch < batches && sizes[batch] + puzzle.weights[node] > puzzle.sizeMax) {
      batch = forbidden[node].nextClearBit(batch + 1);
    }
    batches = Math.max(batches, batch + 1);
    sizes[batch] += puzzle.weights[node];
    batchOf[node] = batch;
    BitMatrix conflicts = puzzle.conflicts;
    for (int other = conflicts.next(node, 0); other >= 0; other = conflicts.next(node, other + 1)) {
      forbid(other, batch);
    }
    int end = puzzle.incidentOffsets[node + 1];
    for (int at = puzzle.incidentOffsets[node]; at < end; at++) {
      fillLimit(puzzle.incident[at], batch);
    }
    work += conflicts.width + (end - puzzle.incidentOffsets[node]);
  }

  private void fillLimit(int limit, int batch) {
    int from = puzzle.offsets[limit];
    int to = puzzle.offsets[limit + 1];
    int together = 0;
    for (int at = from; at < to; at++) {
      together += batchOf[puzzle.members[at]] == batch ? 1 : 0;
    }
    if (together >= puzzle.slacks[limit]) {
      for (int at = from; at < to; at++) {
        forbid(puzzle.members[at], batch);
      }
    }
    work += to - from;
  }

  private void forbid(int node, int batch) {
    if (batchOf[node] < 0) {
      forbidden[node].set(batch);
    }
  }

  /** A finished filling: the batch of each node, how many there are, and the steps it took. */
  static final class Filled {
    private final int[] batchOf;
    private final int batches;
    private final long work;

    Filled(int[] batchOf, int batches, long work) {
      this.batchOf = batchOf;
      this.batches = batches;
      this.work = work;
    }

    int[] batchOf() {
      return batchOf;
    }

    int batches() {
      return batches;
    }

    /** To be held against a bound. */
    long work() {
      return work;
    }
  }
}
