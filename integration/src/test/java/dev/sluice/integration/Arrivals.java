package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.message.ApiVersionsRequestData;

/** One after the other a client arrives, asks something, and leaves with its answer. */
final class Arrivals implements AutoCloseable {

  private static final long PERIOD_NANOS = Duration.ofMillis(50).toNanos();

  private final Endpoint where;
  private final Thread thread;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicLong longestNanos = new AtomicLong();
  private final List<String> failures = new CopyOnWriteArrayList<>();

  Arrivals(Endpoint where) {
    this.where = where;
    this.thread = Thread.ofPlatform().name("arrivals").start(this::run);
  }

  private void run() {
    while (!stopped.get()) {
      arrive();
      LockSupport.parkNanos(PERIOD_NANOS);
    }
  }

  private void arrive() {
    long since = System.nanoTime();
    try (var client = new RawClient(where)) {
      var _ = client.ask(new ApiVersionsRequestData(), (short) 0);
      answered.incrementAndGet();
    } catch (IOException e) {
      failures.add("after " + millis(System.nanoTime() - since) + " ms: " + e);
    }
    longestNanos.accumulateAndGet(System.nanoTime() - since, Math::max);
  }

  private static long millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis();
  }

  /** Nobody was refused, or left without an answer. */
  void assertAllAnswered() throws InterruptedException {
    stopped.set(true);
    thread.join();
    System.out.println(
        "ARRIVALS at "
            + where
            + ": "
            + answered
            + ", longest "
            + millis(longestNanos.get())
            + " ms");
    assertThat(failures).isEmpty();
    assertThat(answered.get()).isPositive();
  }

  /** The one who arrives now is the last. */
  @Override
  public void close() {
    stopped.set(true);
  }
}
