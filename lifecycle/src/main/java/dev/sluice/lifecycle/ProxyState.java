package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Ending;
import dev.sluice.lifecycle.ClusterState.Kind;
import dev.sluice.lifecycle.ClusterState.Stopped;
import java.util.Collection;
import java.util.Locale;

/** What the proxy as a whole does: derived from the lives of its clusters, never stored. */
public enum ProxyState {
  /** Some are initializing, none has ever served. */
  STARTING,
  /** All are serving. */
  SERVING,
  /** Some are serving, some are not (one that a person stopped is one that is not). */
  PARTIAL,
  /** None is serving, some are draining. */
  DRAINING,
  /** None is serving. */
  UNAVAILABLE,
  /** It has shut down. */
  STOPPED;

  /** The state of a proxy with these lives. Removed clusters do not count. */
  public static ProxyState of(Collection<Life> lives) {
    var counted = lives.stream().filter(life -> !hasEnded(life, Ending.REMOVED)).toList();
    long serving = count(counted, Kind.SERVING);
    long stopped = count(counted, Kind.STOPPED);
    if (serving > 0) {
      return serving == counted.size() ? SERVING : PARTIAL;
    }
    if (count(counted, Kind.DRAINING) > 0) {
      return DRAINING;
    }
    if (counted.stream().anyMatch(life -> hasEnded(life, Ending.SHUT_DOWN))
        && stopped == counted.size()) {
      return STOPPED;
    }
    return count(counted, Kind.INITIALIZING) > 0 && counted.stream().noneMatch(Life::hasServed)
        ? STARTING
        : UNAVAILABLE;
  }

  /** As people and metrics see it: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static long count(Collection<Life> lives, Kind kind) {
    return lives.stream().filter(life -> life.state().kind() == kind).count();
  }

  private static boolean hasEnded(Life life, Ending ending) {
    return life.state() instanceof Stopped stopped && stopped.ending() == ending;
  }
}
