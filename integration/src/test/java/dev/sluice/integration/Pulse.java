package dev.sluice.integration;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.jspecify.annotations.Nullable;

/**
 * Asks at a fixed rate, and notes how long each answer took from when the question was due: who is
 * late with one is late with those behind it, too.
 */
final class Pulse implements AutoCloseable {

  private static final long PERIOD_NANOS = 2_000_000;
  private static final int RECORD_BYTES = 200;

  /** One question, and what is to be told when it is answered. */
  private interface Question {
    void ask(Answer then) throws IOException;
  }

  /** The answer, or why there is none. */
  private interface Answer {
    void came(@Nullable Exception failure);
  }

  /** How long answers took, in order of length; at least one. */
  static final class Answers {
    private final long[] nanos;

    private Answers(long[] nanos) {
      this.nanos = nanos;
    }

    static Answers of(List<Answers> all) {
      return new Answers(
          all.stream().flatMapToLong(one -> Arrays.stream(one.nanos)).sorted().toArray());
    }

    /** In milliseconds. */
    double quantile(double part) {
      return nanos[(int) Math.min(nanos.length - 1L, (long) (part * nanos.length))] / 1e6;
    }

    String shown() {
      return "p50 %.2f ms, p99 %.2f ms, longest %.1f ms of %,d"
          .formatted(quantile(0.5), quantile(0.99), nanos[nanos.length - 1] / 1e6, nanos.length);
    }
  }

  private final Question question;
  private final Closeable client;
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile Queue<Long> took = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  private Pulse(Question question, Closeable client) {
    this.question = question;
    this.client = client;
    thread = Thread.ofPlatform().daemon().name("pulse").start(this::beat);
  }

  /** Records, one by one. */
  static Pulse producing(String servers, String topic) {
    var settings =
        Map.<String, Object>of(
            ProducerConfig.ACKS_CONFIG,
            "1",
            ProducerConfig.LINGER_MS_CONFIG,
            0,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            false);
    var producer = new Clients(servers).producer(settings);
    return new Pulse(then -> send(producer, topic, then), producer);
  }

  private static void send(KafkaProducer<String, String> producer, String topic, Answer then) {
    var record = new ProducerRecord<String, String>(topic, "v".repeat(RECORD_BYTES));
    var _ = producer.send(record, (_, failure) -> then.came(failure));
  }

  /** The smallest request that a broker answers, one at a time. */
  static Pulse roundTrips(String servers) throws IOException {
    var client = new RawClient(RunningProxy.endpoints(servers).getFirst());
    return new Pulse(
        then -> {
          var _ = client.ask(new ApiVersionsRequestData(), (short) 0);
          then.came(null);
        },
        client::close);
  }

  private void beat() {
    long due = System.nanoTime();
    while (!over) {
      due += PERIOD_NANOS;
      LockSupport.parkNanos(due - System.nanoTime());
      long asked = due;
      var now = took;
      try {
        question.ask(failure -> note(now, failure, System.nanoTime() - asked));
      } catch (IOException | RuntimeException e) {
        failures.add(e);
        return;
      }
    }
  }

  private void note(Queue<Long> now, @Nullable Exception failure, long nanos) {
    if (failure == null) {
      now.add(nanos);
    } else {
      failures.add(failure);
    }
  }

  /** Since this was last asked for. */
  Answers taken() {
    var before = took;
    took = new ConcurrentLinkedQueue<>();
    if (!failures.isEmpty()) {
      throw new AssertionError("the pulse has stopped", failures.peek());
    }
    return new Answers(
        new ArrayList<>(before).stream().mapToLong(Long::longValue).sorted().toArray());
  }

  /** How many answers there are that nobody has taken. */
  int count() {
    return took.size();
  }

  @Override
  public void close() throws IOException {
    over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }
}
