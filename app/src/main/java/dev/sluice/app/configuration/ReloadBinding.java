package dev.sluice.app.configuration;

import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.reload.Mode;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.lifecycle.reload.Strategy;

/** From {@code reload} to its record. */
final class ReloadBinding {

  private ReloadBinding() {}

  static ReloadSpec bind(Entry root) {
    var entry = root.entry("reload");
    var mode = is(entry, "mode", "atomic") ? Mode.ATOMIC : Mode.BEST_EFFORT;
    var strategy = is(entry, "strategy", "drain") ? Strategy.DRAIN : Strategy.LEAST_DISRUPTIVE;
    var onFailure = is(entry, "onFailure", "keep-new") ? Fallback.KEEP_NEW : Fallback.ROLL_BACK;
    return new ReloadSpec(
        entry.flag("watch").orElse(ReloadSpec.DEFAULT.watch()),
        new ReloadPolicy(mode, strategy, onFailure));
  }

  private static boolean is(Entry entry, String key, String value) {
    return entry.text(key).filter(value::equals).isPresent();
  }
}
