package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState.Fallback;

/**
 * How reloads are done.
 *
 * @param mode what the failure of one cluster means for the others
 * @param strategy which way to prefer
 * @param onFailure what becomes of a cluster whose new generation cannot be brought up
 */
public record ReloadPolicy(Mode mode, Strategy strategy, Fallback onFailure) {

  /** What holds where the configuration says nothing. */
  public static final ReloadPolicy DEFAULT =
      new ReloadPolicy(Mode.BEST_EFFORT, Strategy.LEAST_DISRUPTIVE, Fallback.ROLL_BACK);
}
