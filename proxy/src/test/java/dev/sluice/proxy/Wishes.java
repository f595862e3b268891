package dev.sluice.proxy;

import java.time.Duration;

/** Bounds that tests can wait for. */
final class Wishes {

  /** So that no line of the log is left out. */
  static final Duration EVERY_LINE = Duration.ZERO;

  private Wishes() {}

  static ProxyUnderTest.Wish connectTimeout(int millis) {
    return ProxyUnderTest.Wish.DEFAULT.network(
        network(
            NetworkSpec.DEFAULT_IDLE_TIMEOUT,
            NetworkSpec.DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT,
            Duration.ofMillis(millis)));
  }

  static ProxyUnderTest.Wish idle(Duration idle, Duration unauthenticated) {
    return ProxyUnderTest.Wish.DEFAULT.network(
        network(idle, unauthenticated, NetworkSpec.DEFAULT_CONNECT_TIMEOUT));
  }

  static ProxyUnderTest.Wish progress(Duration progress) {
    return ProxyUnderTest.Wish.DEFAULT.network(
        new NetworkSpec(
            NetworkSpec.DEFAULT_WORKER_THREADS,
            NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT,
            NetworkSpec.DEFAULT_IDLE_TIMEOUT,
            NetworkSpec.DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT,
            progress,
            NetworkSpec.DEFAULT_CONNECT_TIMEOUT,
            NetworkSpec.DEFAULT_TLS_HANDSHAKE_TIMEOUT,
            EVERY_LINE));
  }

  static NetworkSpec shutdown(Duration timeout) {
    return new NetworkSpec(
        NetworkSpec.DEFAULT_WORKER_THREADS,
        timeout,
        NetworkSpec.DEFAULT_IDLE_TIMEOUT,
        NetworkSpec.DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT,
        NetworkSpec.DEFAULT_PROGRESS_TIMEOUT,
        NetworkSpec.DEFAULT_CONNECT_TIMEOUT,
        NetworkSpec.DEFAULT_TLS_HANDSHAKE_TIMEOUT,
        EVERY_LINE);
  }

  static NetworkSpec handshake(Duration limit) {
    return new NetworkSpec(
        NetworkSpec.DEFAULT_WORKER_THREADS,
        NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT,
        NetworkSpec.DEFAULT_IDLE_TIMEOUT,
        NetworkSpec.DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT,
        NetworkSpec.DEFAULT_PROGRESS_TIMEOUT,
        NetworkSpec.DEFAULT_CONNECT_TIMEOUT,
        limit,
        EVERY_LINE);
  }

  static NetworkSpec logging(Duration interval) {
    return new NetworkSpec(
        NetworkSpec.DEFAULT_WORKER_THREADS,
        NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT,
        NetworkSpec.DEFAULT_IDLE_TIMEOUT,
        NetworkSpec.DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT,
        NetworkSpec.DEFAULT_PROGRESS_TIMEOUT,
        NetworkSpec.DEFAULT_CONNECT_TIMEOUT,
        NetworkSpec.DEFAULT_TLS_HANDSHAKE_TIMEOUT,
        interval);
  }

  static ProxyUnderTest.Wish limits(int maxFrameSize, int maxConnections, int maxInFlight) {
    return ProxyUnderTest.Wish.DEFAULT
        .network(logging(EVERY_LINE))
        .limits(new LimitsSpec(maxFrameSize, maxConnections, maxInFlight));
  }

  private static NetworkSpec network(Duration idle, Duration unauthenticated, Duration connect) {
    return new NetworkSpec(
        NetworkSpec.DEFAULT_WORKER_THREADS,
        NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT,
        idle,
        unauthenticated,
        NetworkSpec.DEFAULT_PROGRESS_TIMEOUT,
        connect,
        NetworkSpec.DEFAULT_TLS_HANDSHAKE_TIMEOUT,
        EVERY_LINE);
  }
}
