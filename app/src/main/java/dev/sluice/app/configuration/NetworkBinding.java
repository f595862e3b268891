package dev.sluice.app.configuration;

import dev.sluice.proxy.NetworkSpec;

/** From {@code network.proxy} to its record. */
final class NetworkBinding {

  private NetworkBinding() {}

  static NetworkSpec bind(Entry root) {
    var entry = root.entry("network").entry("proxy");
    return new NetworkSpec(
        entry.integer("workerThreadCount").orElse(NetworkSpec.DEFAULT_WORKER_THREADS),
        entry.duration("shutdownTimeout").orElse(NetworkSpec.DEFAULT_SHUTDOWN_TIMEOUT),
        entry.duration("idleTimeout").orElse(NetworkSpec.DEFAULT_IDLE_TIMEOUT),
        entry
            .duration("unauthenticatedIdleTimeout")
            .orElse(NetworkSpec.DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT),
        entry.duration("progressTimeout").orElse(NetworkSpec.DEFAULT_PROGRESS_TIMEOUT),
        entry.duration("connectTimeout").orElse(NetworkSpec.DEFAULT_CONNECT_TIMEOUT),
        entry.duration("tlsHandshakeTimeout").orElse(NetworkSpec.DEFAULT_TLS_HANDSHAKE_TIMEOUT),
        entry.duration("repeatedLogInterval").orElse(NetworkSpec.DEFAULT_REPEATED_LOG_INTERVAL));
  }
}
