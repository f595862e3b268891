package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.reload.ClusterOutcome.Switched;
import dev.sluice.lifecycle.reload.WayChoice.Because;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.VirtualClusterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A virtual cluster is moved to another Kafka cluster and back, under a producer. */
@ExtendWith(KafkaCluster.class)
class ReloadByDrainIT {

  private static final String TOPIC = "moved";
  private static final int BETWEEN = 300;

  @Test
  void moves_to_another_kafka_cluster_and_back_lose_and_repeat_nothing(EmbeddedCluster kafka)
      throws Exception {
    move(kafka, 5);
  }

  @Test
  @Tag("acceptance")
  void many_moves_lose_and_repeat_nothing(EmbeddedCluster kafka) throws Exception {
    move(kafka, 34);
  }

  private static void move(EmbeddedCluster kafka, int times) throws Exception {
    var here = RunningProxy.spec("moving", kafka);
    try (var elsewhere = EmbeddedCluster.start(ClusterPlan.combined(1));
        var proxy = RunningProxy.start(List.of(here), RunningProxy.REMAINING)) {
      proxy.awaitServing();
      var there = Reloads.withServers(here, endpoints(elsewhere));
      makeTopic(kafka, 3);
      makeTopic(elsewhere, 1);
      int sent;
      try (var load = new Load(new Clients(proxy.bootstrapServers("moving")))) {
        load.awaitAcknowledged(BETWEEN);
        for (int i = 0; i < times; i++) {
          assertMoved(proxy, i % 2 == 0 ? there : here);
          load.awaitAcknowledged(BETWEEN);
        }
        load.stop();
        assertThat(load.failures()).isEmpty();
        sent = load.sent();
      }
      assertEachOnce(sent, values(kafka), values(elsewhere));
    }
  }

  private static void assertMoved(RunningProxy proxy, VirtualClusterSpec next) throws Exception {
    var report = Reloads.reload(proxy.proxy(), next);
    var moved = Reloads.switched(report, "moving", Way.DRAIN);
    assertThat(moved.outcome().orElseThrow())
        .isInstanceOfSatisfying(
            Switched.class,
            switched ->
                assertThat(switched.choice().because()).isEqualTo(Because.ANOTHER_KAFKA_CLUSTER));
    assertThat(moved.departure())
        .hasValueSatisfying(
            departure -> {
              assertThat(departure.connections()).as("under load").isPositive();
              assertThat(departure.counted().noticed()).as("%s", departure).isZero();
            });
  }

  private static List<Endpoint> endpoints(EmbeddedCluster kafka) {
    return Arrays.stream(kafka.bootstrapServers().split(",", -1))
        .map(server -> server.split(":", 2))
        .map(parts -> new Endpoint(parts[0], Integer.parseInt(parts[1])))
        .toList();
  }

  private static void makeTopic(EmbeddedCluster kafka, int replicas) throws Exception {
    try (var admin = new Clients(kafka.bootstrapServers()).admin()) {
      var topic = new NewTopic(TOPIC, Load.KEYS, (short) replicas);
      Clients.done(admin.createTopics(List.of(topic)).all());
    }
  }

  /** All that is there, by key: values are {@code key/sequence}. */
  private static Map<String, List<Integer>> values(EmbeddedCluster kafka) {
    var clients = new Clients(kafka.bootstrapServers());
    var settings = Map.<String, Object>of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    var byKey = new TreeMap<String, List<Integer>>();
    try (var consumer = clients.consumer("all-of-it", settings)) {
      var partitions =
          consumer.partitionsFor(TOPIC).stream()
              .map(p -> new org.apache.kafka.common.TopicPartition(TOPIC, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions);
      int all = (int) ends.values().stream().mapToLong(Long::longValue).sum();
      for (var value : Clients.consume(consumer, all)) {
        var parts = value.split("/", 2);
        byKey.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(Integer.valueOf(parts[1]));
      }
    }
    return byKey;
  }

  @SafeVarargs
  private static void assertEachOnce(int sent, Map<String, List<Integer>>... places) {
    var all = new TreeMap<String, List<Integer>>();
    for (var place : places) {
      assertThat(place).as("records in both Kafka clusters").isNotEmpty();
      place.values().forEach(sequences -> assertThat(sequences).isSorted());
      place.forEach((key, some) -> all.computeIfAbsent(key, _ -> new ArrayList<>()).addAll(some));
    }
    assertThat(all.values()).allSatisfy(some -> assertThat(some).doesNotHaveDuplicates());
    assertThat(all.values().stream().mapToInt(List::size).sum()).isEqualTo(sent);
  }

  /** A key for each partition, each with its sequence; without idempotence. */
  private static final class Load implements AutoCloseable {

    static final int KEYS = 3;
    private static final long PERIOD_NANOS = 2_000_000;

    private final KafkaProducer<String, String> producer;
    private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread;

    Load(Clients clients) {
      producer =
          clients.producer(
              Map.of(
                  ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                  false,
                  ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                  5));
      thread = Thread.ofPlatform().name("load").start(this::run);
    }

    private void run() {
      for (int sequence = 0; !stopped.get(); sequence++) {
        for (int key = 0; key < KEYS; key++) {
          sent.incrementAndGet();
          var record = new ProducerRecord<>(TOPIC, key, "k" + key, key + "/" + sequence);
          var _ = producer.send(record, (_, failure) -> told(failure));
        }
        java.util.concurrent.locks.LockSupport.parkNanos(PERIOD_NANOS);
      }
      producer.flush();
    }

    private void told(@org.jspecify.annotations.Nullable Exception failure) {
      if (failure == null) {
        acknowledged.incrementAndGet();
      } else {
        failures.add(failure);
      }
    }

    void awaitAcknowledged(int more) {
      int target = acknowledged.get() + more;
      await().atMost(Clients.PATIENCE).until(acknowledged::get, count -> count >= target);
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
