package dev.sluice.planner.batching;

import dev.sluice.planner.batching.Filling.Filled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/** Solves puzzles. */
public final class Batches {

  /** The most steps that improving one filling may take; a step is some nanoseconds. */
  static final long WORK_MAX = 20_000_000;

  /** Rounds without a batch less after which improving ends. */
  static final int ROUNDS_WITHOUT_GAIN_MAX = 200;

  private Batches() {}

  /**
   * Finds batches: every node in exactly one, no limit broken, as few as it can. The largest first,
   * then by the lowest node; no later batch has a node that the first could take in. The same
   * puzzle always has the same answer.
   */
  public static List<int[]> of(Puzzle puzzle) {
    if (puzzle.nodes == 0) {
      return List.of();
    }
    int bound = lowerBound(puzzle);
    Filled best = new Filling(puzzle).bySaturation();
    if (best.batches() > bound && puzzle.limits > 0) {
      Filled grouped = byGroups(puzzle);
      best = grouped.batches() < best.batches() ? grouped : best;
    }
    if (best.batches() > bound) {
      best = improve(puzzle, best, bound);
    }
    List<int[]> batches =
        new ArrayList<>(lists(new Filling(puzzle).inOrder(order(best, largestFirst(best)))));
    batches
        .subList(1, batches.size())
        .sort(
            Comparator.<int[]>comparingInt(batch -> -batch.length)
                .thenComparingInt(batch -> batch[0]));
    return batches;
  }

  /**
   * First groups that share nothing, such as the servers of one rack; then as many groups together
   * as slack allows. Sees a structure that looking at single servers does not.
   */
  private static Filled byGroups(Puzzle puzzle) {
    Filled groups = new Filling(puzzle.strict()).bySaturation();
    Puzzle between = puzzle.between(groups.batchOf(), groups.batches());
    Filled together = new Filling(between).bySaturation();
    int[] batchOf = new int[puzzle.nodes];
    Arrays.setAll(batchOf, node -> together.batchOf()[groups.batchOf()[node]]);
    return new Filled(batchOf, together.batches(), groups.work() + together.work());
  }

  /** Fills again in orders that keep batches together: never worse, and often better. */
  private static Filled improve(Puzzle puzzle, Filled start, int bound) {
    SplittableRandom chance = new SplittableRandom(puzzle.nodes);
    Filled best = start;
    Filled current = start;
    long work = 0;
    for (int idle = 0; idle < ROUNDS_WITHOUT_GAIN_MAX && work < WORK_MAX; idle++) {
      Integer[] batches = idle % 2 == 0 ? shuffled(current, chance) : backwards(current);
      current = new Filling(puzzle).inOrder(order(current, batches));
      work += current.work();
      if (current.batches() < best.batches()) {
        best = current;
        idle = 0;
        if (best.batches() <= bound) {
          break;
        }
      }
    }
    return best;
  }

  /** Fewer batches than this are impossible; the truth may be above it. */
  private static int lowerBound(Puzzle puzzle) {
    int total = Arrays.stream(puzzle.weights).sum();
    int bound = Math.ceilDiv(total, puzzle.sizeMax);
    for (int limit = 0; limit < puzzle.limits; limit++) {
      int members = puzzle.offsets[limit + 1] - puzzle.offsets[limit];
      bound = Math.max(bound, Math.ceilDiv(members, puzzle.slacks[limit]));
    }
    return Math.max(bound, clique(puzzle.conflicts, puzzle.nodes));
  }

  /** The size of some set of nodes of which no two may go together. */
  private static int clique(BitMatrix conflicts, int nodes) {
    List<Integer> members = new ArrayList<>();
    Integer[] order = new Integer[nodes];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingInt(node -> -conflicts.count(node)));
    for (int node : order) {
      if (members.stream().allMatch(member -> conflicts.get(member, node))) {
        members.add(node);
      }
    }
    return members.size();
  }

  private static Integer[] largestFirst(Filled filled) {
    List<int[]> lists = lists(filled);
    Integer[] batches = numbers(filled.batches());
    Arrays.sort(
        batches,
        Comparator.<Integer>comparingInt(batch -> -lists.get(batch).length)
            .thenComparingInt(batch -> lists.get(batch)[0]));
    return batches;
  }

  private static Integer[] backwards(Filled filled) {
    Integer[] batches = new Integer[filled.batches()];
    Arrays.setAll(batches, i -> filled.batches() - 1 - i);
    return batches;
  }

  private static Integer[] shuffled(Filled filled, SplittableRandom chance) {
    Integer[] batches = numbers(filled.batches());
    for (int i = batches.length - 1; i > 0; i--) {
      int j = chance.nextInt(i + 1);
      Integer kept = batches[i];
      batches[i] = batches[j];
      batches[j] = kept;
    }
    return batches;
  }

  private static Integer[] numbers(int count) {
    Integer[] numbers = new Integer[count];
    Arrays.setAll(numbers, i -> i);
    return numbers;
  }

  private static int[] order(Filled filled, Integer[] batches) {
    List<int[]> lists = lists(filled);
    return Arrays.stream(batches).flatMapToInt(batch -> Arrays.stream(lists.get(batch))).toArray();
  }

  private static List<int[]> lists(Filled filled) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int batch = 0; batch < filled.batches(); batch++) {
      lists.add(new ArrayList<>());
    }
    for (int node = 0; node < filled.batchOf().length; node++) {
      lists.get(filled.batchOf()[node]).add(node);
    }
    return lists.stream().map(list -> list.stream().mapToInt(Integer::intValue).toArray()).toList();
  }
}
