package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.time.Duration;
import org.apache.kafka.common.message.ApiVersionsRequestData;

/**
 * What this process has open, and what of it is counted.
 *
 * @param sockets of the whole process, but those that listen at ports that were left
 * @param threads of the proxy
 * @param series of metrics, but those of a kind of request: each begins with the first such request
 * @param buffers of Netty that are held
 */
record Usage(long sockets, long threads, long series, long buffers) {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The most that {@link LiveBuffers} may count too many. */
  private static final long MISSED_BUFFERS = 4;

  /** Under load sockets come and go. */
  private static final long PASSING_SOCKETS = 12;

  static Usage of(RunningProxy running, LiveBuffers buffers) {
    long threads =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("sluice-"))
            .count();
    long series =
        running.registry().getMeters().stream()
            .filter(meter -> meter.getId().getTag("api") == null)
            .count();
    long lingering =
        running.proxy().virtualClusters().stream()
            .mapToLong(view -> view.lingeringPorts().size())
            .sum();
    return new Usage(OpenSockets.count() - lingering, threads, series, buffers.now());
  }

  /** After a client has come and gone: what is made once for all has been made. */
  static Usage afterOneClient(RunningProxy running, Endpoint where, LiveBuffers buffers)
      throws IOException {
    long before = OpenSockets.count();
    try (var client = new RawClient(where)) {
      var _ = client.ask(new ApiVersionsRequestData(), (short) 0);
    }
    // Some others may have gone since: what the proxy asked when it began, for instance.
    await("it has gone").atMost(PATIENCE).until(OpenSockets::count, now -> now <= before);
    return of(running, buffers);
  }

  /** Under load; what only grows is seen all the same. */
  void assertNoLessThan(Usage later) {
    assertThat(later.sockets).as("sockets").isLessThanOrEqualTo(sockets + PASSING_SOCKETS);
    assertThat(later.threads).as("threads").isEqualTo(threads);
    assertThat(later.series).as("series").isEqualTo(series);
  }

  /** Without load; what clients have left may take a moment. */
  void awaitAgain(RunningProxy running, LiveBuffers live) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var now = of(running, live);
              assertThat(now.sockets)
                  .as("sockets; connected are %s", OpenSockets.connected())
                  .isLessThanOrEqualTo(sockets);
              assertThat(now.threads).as("threads").isEqualTo(threads);
              assertThat(now.series).as("series").isEqualTo(series);
              assertThat(now.buffers).as("buffers").isLessThanOrEqualTo(buffers + MISSED_BUFFERS);
            });
  }
}
