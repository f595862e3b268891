package dev.sluice.proxy;

import java.time.Duration;

/**
 * Threads and time-outs of the whole proxy.
 *
 * @param workerThreads event loops that move bytes; 1 to 256
 * @param shutdownTimeout the longest that a graceful shutdown takes
 * @param idleTimeout a connection on which no byte moves for so long is closed
 * @param unauthenticatedIdleTimeout the same until the first request of a connection has been
 *     answered
 * @param progressTimeout a request or response that has begun, and of which no byte comes for so
 *     long, ends its connection; so does an answer that does not begin, once its client has left
 * @param connectTimeout the longest that one attempt to reach an upstream address takes
 * @param tlsHandshakeTimeout the longest that a TLS handshake takes, with a client or a broker
 * @param repeatedLogInterval of lines about connections that were closed or refused, one of each
 *     virtual cluster and cause is written in so long
 */
public record NetworkSpec(
    int workerThreads,
    Duration shutdownTimeout,
    Duration idleTimeout,
    Duration unauthenticatedIdleTimeout,
    Duration progressTimeout,
    Duration connectTimeout,
    Duration tlsHandshakeTimeout,
    Duration repeatedLogInterval) {

  public static final int DEFAULT_WORKER_THREADS = 2;
  public static final Duration DEFAULT_SHUTDOWN_TIMEOUT = Duration.ofSeconds(15);
  public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofMinutes(10);
  public static final Duration DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT = Duration.ofSeconds(30);

  /** Twice what Kafka's clients wait for an answer: who is merely slow has given up before. */
  public static final Duration DEFAULT_PROGRESS_TIMEOUT = Duration.ofMinutes(1);

  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);
  public static final Duration DEFAULT_TLS_HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);
  public static final Duration DEFAULT_REPEATED_LOG_INTERVAL = Duration.ofSeconds(10);

  /** What holds where the configuration says nothing. */
  public static final NetworkSpec DEFAULT =
      new NetworkSpec(
          DEFAULT_WORKER_THREADS,
          DEFAULT_SHUTDOWN_TIMEOUT,
          DEFAULT_IDLE_TIMEOUT,
          DEFAULT_UNAUTHENTICATED_IDLE_TIMEOUT,
          DEFAULT_PROGRESS_TIMEOUT,
          DEFAULT_CONNECT_TIMEOUT,
          DEFAULT_TLS_HANDSHAKE_TIMEOUT,
          DEFAULT_REPEATED_LOG_INTERVAL);
}
