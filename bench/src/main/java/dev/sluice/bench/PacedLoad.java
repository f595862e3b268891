package dev.sluice.bench;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Open loop: records are due at fixed times, whatever becomes of those before them, and a record's
 * latency is counted from when it was due until it was acknowledged. A sender that has been kept
 * from sending is late for all that was due meanwhile, and says so (no coordinated omission).
 */
final class PacedLoad {

  /** Comes before what counts. */
  private static final int LEAD_SECONDS = 1;

  private PacedLoad() {}

  static LoadAnswer pace(LoadRequest request) {
    byte[] value = new byte[request.records().bytes()];
    new Random(value.length).nextBytes(value);
    var schedule = new Schedule(request.perSecond());
    int lead = schedule.dueBy(Schedule.seconds(LEAD_SECONDS));
    int all = schedule.dueBy(Schedule.seconds(LEAD_SECONDS + request.amount()));
    long[] latencies = new long[all];
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (var producer =
        new KafkaProducer<>(
            ClientSettings.producer(request),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.partitionsFor(request.topic());
      var span = Span.of(request.pid());
      long begin = System.nanoTime();
      int sent = 0;
      while (sent < all) {
        int due = Math.min(all, schedule.dueBy(System.nanoTime() - begin));
        if (sent <= lead && due > lead) {
          span = Span.of(request.pid());
        }
        for (; sent < due; sent++) {
          int place = sent;
          producer.send(
              new ProducerRecord<>(request.topic(), 0, null, value),
              (_, failed) -> {
                latencies[place] = System.nanoTime() - begin - schedule.dueAt(place);
                if (failed != null) {
                  failure.compareAndSet(null, failed);
                }
              });
        }
        LockSupport.parkNanos(begin + schedule.dueAt(sent) - System.nanoTime());
      }
      producer.flush();
      var answer = span.end();
      if (failure.get() != null) {
        throw new IllegalStateException("a record was not acknowledged: " + failure.get());
      }
      var counted = Latencies.of(Arrays.copyOfRange(latencies, lead, all));
      return answer.with(
          counted.millis(0.5),
          counted.millis(0.99),
          counted.millis(0.999),
          (double) (all - lead) * value.length);
    }
  }
}
