package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Bounds;
import dev.sluice.lifecycle.quiet.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Switches the upstream connections of all clients of a virtual cluster, as often as one likes: a
 * reload would wait until the last share consumer has left the former generation.
 */
public final class UpstreamSwitch {

  private final List<Generation> generations = new ArrayList<>();

  /** Of a virtual cluster that serves. */
  public UpstreamSwitch(Proxy proxy, String virtualCluster) {
    generations.addAll(proxy.host().host(virtualCluster).orElseThrow().generations().held());
  }

  /**
   * Begins to switch everybody.
   *
   * @param within the time that share consumers have to leave
   * @return of how many connections
   */
  public int begin(Duration within) {
    var last = generations.getLast();
    var next = new Generation(last.number() + 1, last.spec(), last.engine(), last.meters());
    var connections = new ArrayList<ClientConnection>();
    generations.forEach(generation -> connections.addAll(generation.connections()));
    generations.add(next);
    var terms = Terms.of(Terms.Way.IN_PLACE, Bounds.PAUSE, System.nanoTime(), within);
    connections.forEach(connection -> connection.switchTo(next, Upstreams.ANEW, terms));
    return connections.size();
  }

  /** How many connections the newest generation has. */
  public int switched() {
    return generations.getLast().connections().size();
  }

  /** How many the others have, of clients that cannot stay behind. */
  public int behind() {
    return (int)
        generations.subList(0, generations.size() - 1).stream()
            .flatMap(generation -> generation.connections().stream())
            .filter(connection -> !connection.introduction().isSharing())
            .count();
  }
}
