package dev.sluice.proxy;

import java.time.Duration;

/** Bounds that tests can wait for. */
final class Wishes {

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

  static ProxyUnderTest.Wish limits(int maxFrameSize, int maxConnections, int maxInFlight) {
    return ProxyUnderTest.Wish.DEFAULT.limits(
        new LimitsSpec(maxFrameSize, maxConnections, maxInFlight));
  }

  private static NetworkSpec network(Duration idle, Duration unauthenticated, Duration connect) {
    return new NetworkSpec(
        NetworkSpec.DEFAULT_WORKER_THREADS,
        NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT,
        idle,
        unauthenticated,
        connect);
  }
}
