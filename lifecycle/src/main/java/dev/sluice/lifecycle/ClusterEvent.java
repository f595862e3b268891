package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Way;
import java.time.Instant;

/** What can happen to a virtual cluster: a fact, or something asked for. */
public sealed interface ClusterEvent {

  /**
   * A checked configuration is to become the next generation. Of a serving cluster it is prepared
   * beside; of any other it is set up at once.
   *
   * @param generation higher than any before in this life
   */
  record ConfigurationAccepted(int generation) implements ClusterEvent {}

  /** All of a generation is acquired: the answer to prepare, install and restore. */
  record Prepared(int generation, int attempt) implements ClusterEvent {}

  /**
   * A generation could not be prepared, installed or restored.
   *
   * @param recovery what follows if this makes the cluster fail; ignored if it does not
   */
  record PrepareFailed(Failure failure, Recovery recovery) implements ClusterEvent {}

  /** Every cluster is prepared: the start-up barrier is gone. */
  record BarrierOpened() implements ClusterEvent {}

  /**
   * The reload is committed: the prepared generation takes over.
   *
   * @param deadline of the drain, or for the last connection to leave the former generation
   */
  record SwitchAsked(int generation, Way way, Fallback fallback, Instant deadline)
      implements ClusterEvent {}

  /** The reload is off (another cluster of an atomic one could not be prepared). */
  record ReloadCancelled(int generation) implements ClusterEvent {}

  /** A person, or a reload with the same configuration, wants a failed cluster tried again. */
  record RetryAsked() implements ClusterEvent {}

  /** The time of an automatic retry has come. */
  record RetryDue(Instant scheduledFor) implements ClusterEvent {}

  /** A person wants it drained and stopped. */
  record DrainAsked(Instant deadline) implements ClusterEvent {}

  /** It is no longer configured. */
  record RemovalAsked(Instant deadline) implements ClusterEvent {}

  /** The proxy shuts down. */
  record ShutdownAsked(Instant deadline) implements ClusterEvent {}

  /** No connection of this generation is left. */
  record Quiesced(int generation) implements ClusterEvent {}

  /** A deadline, as it was given in an action, has come. */
  record DeadlinePassed(Instant deadline) implements ClusterEvent {}
}
