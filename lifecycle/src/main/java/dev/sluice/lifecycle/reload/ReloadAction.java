package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState.Fallback;

/** What the shell has to do to one virtual cluster; what comes of it is told as events. */
public sealed interface ReloadAction {

  String name();

  /** Let it accept the asked configuration as its next generation. */
  record Prepare(String name) implements ReloadAction {}

  /** Begin its life, behind a barrier. */
  record Begin(String name) implements ReloadAction {}

  /** Try it again with the configuration that it has. */
  record Retry(String name) implements ReloadAction {}

  /** Open the barrier of one that does not serve yet. */
  record Admit(String name) implements ReloadAction {}

  /** Let the prepared generation take over. */
  record Switch(String name, WayChoice choice, Fallback fallback) implements ReloadAction {}

  /** Give up the generation that is prepared, or being prepared, beside the serving one. */
  record Cancel(String name) implements ReloadAction {}

  /** Drain and remove it. */
  record Remove(String name) implements ReloadAction {}
}
