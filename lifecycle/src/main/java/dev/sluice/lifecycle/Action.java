package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Purpose;
import dev.sluice.lifecycle.ClusterState.Way;
import java.time.Instant;

/**
 * What the shell has to do, in the order given: each begins when the former one has ended. Actions
 * concern one virtual cluster and never another. They never fail: what goes wrong comes back as an
 * event.
 */
public sealed interface Action {

  /**
   * Acquire everything of a generation; beside a serving one, if there is one. Answers {@link
   * ClusterEvent.Prepared} or {@link ClusterEvent.PrepareFailed} with these numbers.
   */
  record PrepareGeneration(int generation, int attempt) implements Action {}

  /**
   * Put a generation that was prepared beside in the place of the drained one, on the same sockets.
   * Answers as prepare does, with attempt 1. The drained one is kept whole.
   */
  record InstallGeneration(int generation) implements Action {}

  /**
   * Bring back the generation that served before, as it was kept. Answers as prepare does, with
   * attempt 1.
   */
  record RestoreGeneration(int generation) implements Action {}

  /** Serve who arrives, and who is held, with this generation. */
  record AdmitClients(int generation) implements Action {}

  /**
   * The new generation takes over, in place or by handover. When no connection of the former one is
   * left: {@link ClusterEvent.Quiesced} with {@code from}; at the deadline: {@link
   * ClusterEvent.DeadlinePassed}.
   */
  record TakeOver(int from, int to, Way way, Instant deadline) implements Action {}

  /**
   * Serve nobody new, quiesce all connections. When none is left: {@link ClusterEvent.Quiesced}
   * with {@code generation}; at the deadline: {@link ClusterEvent.DeadlinePassed}. Who arrives is
   * held for a reload, and not served otherwise.
   */
  record Quiesce(int generation, Purpose purpose, Instant deadline) implements Action {}

  /** The drain goes on for another purpose: who is held for the reload is let go. */
  record ChangePurpose(Purpose purpose) implements Action {}

  /** The deadline of the running drain comes nearer; the timer for the former one is void. */
  record TightenDeadline(Instant deadline) implements Action {}

  /**
   * Close what is left of the connections of a generation, and of any before it, and report what
   * that cost.
   */
  record CutConnections(int generation) implements Action {}

  /**
   * Give up a generation that does not serve: cancel its set-up, and release what it has acquired,
   * also what it still acquires before it hears of this. Its answer is ignored.
   */
  record AbandonSetUp(int generation) implements Action {}

  /** Release what a generation that has served, and serves nobody any more, holds. */
  record ReleaseGeneration(int generation) implements Action {}

  /** Release all that this cluster holds or is acquiring: sockets, held clients, set-ups. */
  record ReleaseEverything() implements Action {}

  /** Feed {@link ClusterEvent.RetryDue} with this time, at this time. */
  record ScheduleRetry(Instant at) implements Action {}

  /** The scheduled retry is void. */
  record CancelRetry() implements Action {}
}
