package dev.sluice.lifecycle.reload;

import java.util.List;
import java.util.Optional;

/**
 * What a configuration means for every virtual cluster, before anything is done.
 *
 * @param changes one for each name, sorted by name
 * @param warnings sentences for whoever asked
 * @param obstacle why none of it can be done at once, as a sentence; empty: it can
 */
public record ReloadPlan(
    List<ClusterChange> changes, List<String> warnings, Optional<String> obstacle) {

  public ReloadPlan {
    changes = List.copyOf(changes);
    warnings = List.copyOf(warnings);
  }

  /** Those to which something is done. */
  public List<ClusterChange> affected() {
    return changes.stream().filter(change -> !(change instanceof ClusterChange.Unchanged)).toList();
  }
}
