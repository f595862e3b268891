package dev.sluice.lifecycle.reload;

import java.util.List;

/**
 * What a configuration means for every virtual cluster, before anything is done.
 *
 * @param changes one for each name, sorted by name
 * @param warnings sentences for whoever asked
 */
public record ReloadPlan(List<ClusterChange> changes, List<String> warnings) {

  public ReloadPlan {
    changes = List.copyOf(changes);
    warnings = List.copyOf(warnings);
  }

  /** Those to which something is done. */
  public List<ClusterChange> affected() {
    return changes.stream().filter(change -> !(change instanceof ClusterChange.Unchanged)).toList();
  }
}
