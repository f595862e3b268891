package dev.sluice.app.configuration;

import dev.sluice.lifecycle.quiet.Bounds;
import dev.sluice.proxy.DrainManner;
import dev.sluice.proxy.DrainSpec;
import dev.sluice.proxy.NetworkSpec;
import java.time.Duration;

/** From {@code drainTimeout} and {@code drain} of a virtual cluster to their record. */
final class DrainBinding {

  /**
   * For measurements only, and no part of the configuration: what quiet drains are worth is seen
   * beside others.
   */
  private static final String MANNER = "sluice.development.drain";

  private final NetworkSpec network;

  DrainBinding(NetworkSpec network) {
    this.network = network;
  }

  DrainSpec bind(Entry cluster) {
    var drain = cluster.entry("drain");
    return new DrainSpec(
        timeout(cluster),
        within(drain, "pause", Bounds.MIN_PAUSE, Bounds.MAX_PAUSE, Bounds.PAUSE),
        within(
            drain,
            "reconnectWait",
            Duration.ZERO,
            Bounds.MAX_RECONNECT_WAIT,
            Bounds.RECONNECT_WAIT),
        manner());
  }

  private static DrainManner manner() {
    var asked = System.getProperty(MANNER, "quiet");
    return switch (asked) {
      case "quiet" -> DrainManner.QUIET;
      case "unread" -> DrainManner.UNREAD;
      case "at-once" -> DrainManner.AT_ONCE;
      default ->
          throw new IllegalStateException(
              "expected the system property %s to be quiet, unread or at-once, found '%s'"
                  .formatted(MANNER, asked));
    };
  }

  private Duration timeout(Entry cluster) {
    var timeout = cluster.duration("drainTimeout").orElse(DrainSpec.DEFAULT_TIMEOUT);
    if (timeout.compareTo(network.shutdownTimeout()) > 0 && cluster.has("drainTimeout")) {
      cluster.warning(
          "drainTimeout",
          "expected at most network.proxy.shutdownTimeout, which is "
              + Quantities.shown(network.shutdownTimeout())
              + ", found "
              + Quantities.shown(timeout)
              + "; a shutdown will cut this drain short");
    }
    return timeout;
  }

  private static Duration within(
      Entry drain, String key, Duration least, Duration most, Duration usual) {
    var found = drain.duration(key).orElse(usual);
    if (found.compareTo(least) < 0 || found.compareTo(most) > 0) {
      drain.error(
          key,
          "expected "
              + Quantities.shown(least)
              + " to "
              + Quantities.shown(most)
              + ", found "
              + drain.shown(key));
      return usual;
    }
    return found;
  }
}
