package dev.sluice.lifecycle.reload;

import java.util.List;

/**
 * What follows from an event of a reload.
 *
 * @param actions to obey in order; they concern different clusters or build on each other
 */
public record ReloadStep(ReloadState state, List<ReloadAction> actions) {

  public ReloadStep {
    actions = List.copyOf(actions);
  }
}
