package dev.sluice.lifecycle.reload;

import java.time.Instant;

/** What happens during a reload; what is named concerns one virtual cluster. */
public sealed interface ReloadEvent {

  /** A fact about one virtual cluster. */
  sealed interface OfCluster extends ReloadEvent {
    String name();
  }

  /** What those held that it waited for is free. */
  record PortsFreed(String name) implements OfCluster {}

  /** All is acquired, beside the serving generation. */
  record Prepared(String name, UpstreamIdentity upstream) implements OfCluster {}

  /** All is acquired, and it waits behind its barrier. */
  record BarrierReached(String name) implements OfCluster {}

  /** It could not be prepared beside; the serving generation serves on. */
  record PrepareFailed(String name, String cause) implements OfCluster {}

  /** The asked generation serves, and nothing of a former one is left. */
  record Served(String name) implements OfCluster {}

  /** The former generation serves again. */
  record RolledBack(String name, String cause) implements OfCluster {}

  /** It entered failed. */
  record Failed(String name, String cause) implements OfCluster {}

  /** Its life is over. */
  record Gone(String name) implements OfCluster {}

  /** What was asked of it was refused. */
  record Refused(String name, String why) implements OfCluster {}

  /**
   * An automatic retry of a virtual cluster is due, whether the reload concerns that or not.
   *
   * @param due as in {@link dev.sluice.lifecycle.ClusterEvent.RetryDue}
   */
  record RetryDue(String name, Instant due) implements ReloadEvent {}

  /** The proxy shuts down. */
  record ShutdownAsked() implements ReloadEvent {}
}
