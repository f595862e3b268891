package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState.Fallback;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** What the shell has to do to one virtual cluster; what comes of it is told as events. */
public sealed interface ReloadAction {

  String name();

  /** Something is asked of the cluster. */
  sealed interface Request extends ReloadAction {}

  /** Tell {@link ReloadEvent.PortsFreed} when others hold nothing more that they have let go of. */
  record AwaitPorts(String name, SortedSet<String> of) implements ReloadAction {
    public AwaitPorts {
      of = Collections.unmodifiableSortedSet(new TreeSet<>(of));
    }
  }

  /**
   * Feed {@link dev.sluice.lifecycle.ClusterEvent.RetryDue} with this time to it, if it is there:
   * nothing is done to it any more.
   */
  record LetRetry(String name, Instant due) implements ReloadAction {}

  /** Let it accept the asked configuration as its next generation. */
  record Prepare(String name) implements Request {}

  /** Begin its life, behind a barrier. */
  record Begin(String name) implements Request {}

  /** Try it again with the configuration that it has. */
  record Retry(String name) implements Request {}

  /** Open the barrier of one that does not serve yet. */
  record Admit(String name) implements Request {}

  /** Let the prepared generation take over. */
  record Switch(String name, WayChoice choice, Fallback fallback) implements Request {}

  /** Give up the generation that is prepared, or being prepared, beside the serving one. */
  record Cancel(String name) implements Request {}

  /** Drain and remove it. */
  record Remove(String name) implements Request {}
}
