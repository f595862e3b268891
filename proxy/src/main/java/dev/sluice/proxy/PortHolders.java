package dev.sluice.proxy;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who holds ports: virtual clusters of this proxy, which are known, or other processes, which are
 * looked for. One look at a time, on a thread of its own; whoever asks while one is under way
 * shares the next with all others who do. Safe for use from every thread.
 */
final class PortHolders {

  /** The longest that a look takes: a machine may have very many open files. */
  private static final Duration LOOK_LIMIT = Duration.ofSeconds(5);

  private record Asked(
      Collection<Integer> ports, CompletableFuture<SortedMap<Integer, String>> answer) {}

  private final Map<InetSocketAddress, String> ours = new ConcurrentHashMap<>();
  private List<Asked> waiting = new ArrayList<>();
  private boolean looking;

  /** A virtual cluster listens here. */
  void listens(InetSocketAddress at, String virtualCluster) {
    ours.put(at, virtualCluster);
  }

  /** It listens no more. */
  void listensNoMore(InetSocketAddress at, String virtualCluster) {
    ours.remove(at, virtualCluster);
  }

  /** The holder in words, of each port that it can be told of. Completes on another thread. */
  CompletionStage<SortedMap<Integer, String>> of(Collection<Integer> ports) {
    var asked = new Asked(List.copyOf(ports), new CompletableFuture<>());
    synchronized (this) {
      waiting.add(asked);
      if (!looking) {
        looking = true;
        Thread.ofVirtual().name("port-holders").start(this::lookOnAndOn);
      }
    }
    return asked.answer();
  }

  private void lookOnAndOn() {
    for (var round = next(); !round.isEmpty(); round = next()) {
      var unknown = new TreeSet<Integer>();
      round.forEach(asked -> unknown.addAll(asked.ports()));
      var known = ours();
      unknown.removeAll(known.keySet());
      if (!unknown.isEmpty()) {
        known.putAll(PortHolder.of(unknown, LOOK_LIMIT));
      }
      round.forEach(asked -> asked.answer().complete(known));
    }
  }

  private synchronized List<Asked> next() {
    var round = waiting;
    waiting = new ArrayList<>();
    looking = !round.isEmpty();
    return round;
  }

  private SortedMap<Integer, String> ours() {
    var known = new TreeMap<Integer, String>();
    ours.forEach((at, name) -> known.put(at.getPort(), "virtual cluster " + name));
    return known;
  }
}
