package dev.sluice.proxy;

import java.time.Duration;
import java.util.Map;

/** Bounds that tests can wait for. */
final class Wishes {

  /** So that no line of the log is left out. */
  static final Duration EVERY_LINE = Duration.ZERO;

  private Wishes() {}

  static ProxyUnderTest.Wish connectTimeout(int millis) {
    return ProxyUnderTest.Wish.DEFAULT.network(
        network(Map.of(Limit.CONNECT, Duration.ofMillis(millis))));
  }

  static ProxyUnderTest.Wish idle(Duration idle, Duration unauthenticated) {
    return ProxyUnderTest.Wish.DEFAULT.network(
        network(Map.of(Limit.IDLE, idle, Limit.UNAUTHENTICATED, unauthenticated)));
  }

  static ProxyUnderTest.Wish progress(Duration progress) {
    return ProxyUnderTest.Wish.DEFAULT.network(network(Map.of(Limit.PROGRESS, progress)));
  }

  static NetworkSpec shutdown(Duration timeout) {
    return network(Map.of(), timeout, EVERY_LINE);
  }

  static NetworkSpec handshake(Duration limit) {
    return network(Map.of(Limit.TLS_HANDSHAKE, limit));
  }

  static NetworkSpec logging(Duration interval) {
    return network(Map.of(), NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT, interval);
  }

  static ProxyUnderTest.Wish limits(int maxFrameSize, int maxConnections, int maxInFlight) {
    return ProxyUnderTest.Wish.DEFAULT
        .network(logging(EVERY_LINE))
        .limits(new LimitsSpec(maxFrameSize, maxConnections, maxInFlight));
  }

  private static NetworkSpec network(Map<Limit, Duration> timeOuts) {
    return network(timeOuts, NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT, EVERY_LINE);
  }

  private static NetworkSpec network(
      Map<Limit, Duration> timeOuts, Duration shutdown, Duration logInterval) {
    return new NetworkSpec(
        NetworkSpec.DEFAULT_WORKER_THREADS,
        shutdown,
        timeOuts.getOrDefault(Limit.IDLE, NetworkSpec.DEFAULT_IDLE_TIMEOUT),
        timeOuts.getOrDefault(
            Limit.UNAUTHENTICATED, NetworkSpec.DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT),
        timeOuts.getOrDefault(Limit.PROGRESS, NetworkSpec.DEFAULT_PROGRESS_TIMEOUT),
        timeOuts.getOrDefault(Limit.CONNECT, NetworkSpec.DEFAULT_CONNECT_TIMEOUT),
        timeOuts.getOrDefault(Limit.TLS_HANDSHAKE, NetworkSpec.DEFAULT_TLS_HANDSHAKE_TIMEOUT),
        logInterval);
  }
}
