package dev.sluice.lifecycle.reload;

/** What happens during a reload; what is named concerns one virtual cluster. */
public sealed interface ReloadEvent {

  /** A fact about one virtual cluster. */
  sealed interface OfCluster extends ReloadEvent {
    String name();
  }

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

  /** The proxy shuts down. */
  record ShutdownAsked() implements ReloadEvent {}
}
