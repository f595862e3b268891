package dev.sluice.lifecycle.reload;

import java.util.Optional;

/** How far one virtual cluster is within a reload. */
public sealed interface Course {

  ClusterChange change();

  /** Nothing was asked of it yet: others have to be gone first, or the commit is awaited. */
  record Held(ClusterChange change) implements Course {}

  /** Whom it waited for is done; what that held is not free yet. */
  record AwaitingPorts(ClusterChange change) implements Course {}

  /** Its next generation is being prepared, or its first. */
  record Preparing(ClusterChange change) implements Course {}

  /**
   * All of it is acquired; it waits for the others of an atomic reload.
   *
   * @param upstream of one that serves; empty: it waits behind its barrier
   */
  record Prepared(ClusterChange change, Optional<UpstreamIdentity> upstream) implements Course {}

  /**
   * It was told to go over, to go, or to try again.
   *
   * @param choice of a cluster that serves
   */
  record Switching(ClusterChange change, Optional<WayChoice> choice) implements Course {}

  /** It was begun in vain and is being removed; then the outcome holds. */
  record Withdrawing(ClusterChange change, ClusterOutcome outcome) implements Course {}

  /** Nothing more is done to it. */
  record Ended(ClusterChange change, ClusterOutcome outcome) implements Course {}
}
