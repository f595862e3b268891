package dev.sluice.planner;

import java.util.List;

/** What the roll of the cluster as a whole is doing. */
public sealed interface ClusterState {

  /** Nothing is needed. */
  record Idle() implements ClusterState {}

  /** Servers are being acted upon, or come back from it. */
  record Rolling(List<Integer> servers) implements ClusterState {
    public Rolling {
      servers = List.copyOf(servers);
    }
  }

  /** Something is needed and may not be done now. */
  record Waiting(HoldReason why) implements ClusterState {}

  /** A person has to look. */
  record Halted(HaltReason why) implements ClusterState {}

  /** No maintenance window is open. */
  record OutOfWindow(HoldReason why) implements ClusterState {}

  /** The state that a plan means. */
  static ClusterState of(Plan plan) {
    return switch (plan) {
      case Plan.Done _ -> new Idle();
      case Plan.Act act -> new Rolling(List.copyOf(act.targets().keySet()));
      case Plan.Halt(_, _, HaltReason why) -> new Halted(why);
      case Plan.Hold(_, _, HoldReason.AwaitingReturn(List<Assessment> awaited)) ->
          new Rolling(awaited.stream().map(Assessment::server).toList());
      case Plan.Hold(_, _, HoldReason.OutOfWindow why) -> new OutOfWindow(why);
      case Plan.Hold(_, _, HoldReason why) -> new Waiting(why);
    };
  }
}
