package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.lifecycle.FailurePolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A producer that does not repeat itself safely goes on through drains, and nothing shows. */
@ExtendWith(KafkaCluster.class)
class QuietDrainIT {

  private static final int DRAINS = 3;

  @Test
  void a_producer_without_idempotence_loses_repeats_and_reorders_nothing(EmbeddedCluster kafka)
      throws Exception {
    var spec = RunningProxy.spec("orders", kafka);
    var first = RunningProxy.start(List.of(spec), FailurePolicy.DEFAULT);
    first.awaitServing();
    var clients = new Clients(first.bootstrapServers("orders"));
    var topic = clients.topic();
    var load = new Load(clients, topic);
    try (load) {
      load.awaitAcknowledged(100);
      var running = first;
      for (int drain = 0; drain < DRAINS; drain++) {
        running.close();
        running = RunningProxy.start(List.of(spec), FailurePolicy.DEFAULT);
        running.awaitServing();
        load.awaitAcknowledged(100);
      }
      load.stop();
      assertThat(load.failures()).isEmpty();
      try (var consumer =
          clients.consumer(topic, Map.of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic"))) {
        consumer.subscribe(List.of(topic));
        var values = Clients.consume(consumer, load.sent());
        assertThat(perPartition(values)).allSatisfy(QuietDrainIT::areInOrder);
        assertThat(values).hasSize(load.sent());
      } finally {
        running.close();
      }
    }
  }

  /** Values are {@code key/sequence}. */
  private static List<List<Integer>> perPartition(List<String> values) {
    var byKey = new TreeMap<String, List<Integer>>();
    for (var value : values) {
      var parts = value.split("/", 2);
      byKey.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(Integer.valueOf(parts[1]));
    }
    return List.copyOf(byKey.values());
  }

  private static void areInOrder(List<Integer> sequences) {
    assertThat(sequences).isSorted().doesNotHaveDuplicates();
  }

  /** Three keys, each with its sequence, as fast as acknowledgements allow within reason. */
  private static final class Load implements AutoCloseable {

    private static final int KEYS = 3;
    private static final long PERIOD_MICROS = 500;

    private final KafkaProducer<String, String> producer;
    private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread;

    Load(Clients clients, String topic) {
      producer =
          clients.producer(
              Map.of(
                  ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                  false,
                  ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                  5,
                  ProducerConfig.BATCH_SIZE_CONFIG,
                  500));
      thread = Thread.ofPlatform().name("load").start(() -> run(topic));
    }

    private void run(String topic) {
      for (int sequence = 0; !stopped.get(); sequence++) {
        for (int key = 0; key < KEYS; key++) {
          sent.incrementAndGet();
          var _ =
              producer.send(
                  new ProducerRecord<>(topic, key, "k" + key, key + "/" + sequence),
                  (_, failure) -> {
                    if (failure == null) {
                      acknowledged.incrementAndGet();
                    } else {
                      failures.add(failure);
                    }
                  });
        }
        java.util.concurrent.locks.LockSupport.parkNanos(
            TimeUnit.MICROSECONDS.toNanos(PERIOD_MICROS));
      }
      producer.flush();
    }

    void awaitAcknowledged(int more) {
      int target = acknowledged.get() + more;
      org.awaitility.Awaitility.await()
          .atMost(Clients.PATIENCE)
          .until(acknowledged::get, count -> count >= target);
    }

    void stop() throws InterruptedException {
      stopped.set(true);
      thread.join(Clients.PATIENCE.toMillis());
    }

    int sent() {
      return sent.get();
    }

    List<Exception> failures() {
      return failures;
    }

    @Override
    public void close() {
      stopped.set(true);
      producer.close(Clients.PATIENCE);
    }
  }
}
