package dev.sluice.planner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Rolls a {@link SimCluster}: look, decide, act, look again, in virtual time. */
final class Roll {

  private static final int LOOKS_MAX = 2_000;

  final List<List<Integer>> batches = new ArrayList<>();
  final List<List<Integer>> changes = new ArrayList<>();
  final List<Plan.Act> acts = new ArrayList<>();
  final List<Plan> plans = new ArrayList<>();
  final SimCluster cluster;
  Memory memory;

  private Roll(SimCluster cluster, Memory memory) {
    this.cluster = cluster;
    this.memory = memory;
  }

  static Roll of(SimCluster cluster, Policy policy) {
    return of(cluster, policy, Memory.EMPTY, (_, _) -> {});
  }

  static Roll of(SimCluster cluster) {
    return of(cluster, Policy.DEFAULT);
  }

  /**
   * Rolls until the end.
   *
   * @param meanwhile what else happens, after each plan
   */
  static Roll of(
      SimCluster cluster, Policy policy, Memory memory, BiConsumer<SimCluster, Plan> meanwhile) {
    Roll roll = new Roll(cluster, memory);
    for (int look = 0; look < LOOKS_MAX; look++) {
      Plan plan = Planner.next(cluster.view(), roll.memory, policy);
      roll.plans.add(plan);
      roll.memory = roll.memory.after(plan);
      meanwhile.accept(cluster, plan);
      switch (plan) {
        case Plan.Act act -> {
          roll.acts.add(act);
          (act.stage() == Stage.RECONFIGURE ? roll.changes : roll.batches)
              .add(List.copyOf(act.targets().keySet()));
          cluster.perform(act);
        }
        case Plan.Hold _ -> {}
        case Plan.Done _, Plan.Halt _ -> {
          return roll;
        }
      }
      cluster.after(Duration.ofSeconds(6));
    }
    throw new AssertionError(
        "the roll did not end; its last plan: " + roll.plans.getLast().sentence());
  }

  Plan last() {
    return plans.getLast();
  }

  /** Restarted servers, in order; those of one batch in order of their ids. */
  List<Integer> order() {
    return batches.stream().flatMap(List::stream).toList();
  }

  boolean done() {
    return last() instanceof Plan.Done;
  }

  /** Why it halted. */
  HaltReason halt() {
    return last() instanceof Plan.Halt(_, _, HaltReason why)
        ? why
        : new HaltReason.NothingMoved(Duration.ZERO, List.of());
  }

  String said() {
    return last().sentence();
  }
}
