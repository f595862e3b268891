package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.LogSource;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ledger.LogWitness;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Occurrences;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.EmbeddedCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A producer with five requests in flight and without idempotence, whose virtual cluster moves from
 * one Kafka cluster to another: a key for each partition, each with its own sequence. What groups,
 * producer ids and transactions are is known to one Kafka cluster alone: such clients do not move.
 */
final class MovingLoad implements AutoCloseable {

  private static final String TOPIC = "moved";
  private static final String CLIENT = "moving-producer";
  private static final int KEYS = 3;
  private static final long PERIOD_NANOS = 2_000_000;

  private final KafkaProducer<String, String> producer;
  private final List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Occurrences noticed = new Occurrences();
  private final LogSource.Tap tap;
  private final Thread thread;

  MovingLoad(Clients clients) {
    var log = new LogWitness(CLIENT);
    log.register(CLIENT, noticed);
    tap = new LogbackSource().listen(log);
    producer =
        clients.producer(
            Map.of(
                CommonClientConfigs.CLIENT_ID_CONFIG,
                CLIENT,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                false,
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                5));
    thread = Thread.ofPlatform().name("moving-load").start(this::run);
  }

  static void makeTopic(EmbeddedCluster kafka, int replicas) throws Exception {
    try (var admin = new Clients(kafka.bootstrapServers()).admin()) {
      var topic = new NewTopic(TOPIC, KEYS, (short) replicas);
      Clients.done(admin.createTopics(List.of(topic)).all());
    }
  }

  static void removeTopic(EmbeddedCluster kafka) throws Exception {
    try (var admin = new Clients(kafka.bootstrapServers()).admin()) {
      Clients.done(admin.deleteTopics(List.of(TOPIC)).all());
    }
  }

  private void run() {
    for (int sequence = 0; !stopped.get(); sequence++) {
      for (int key = 0; key < KEYS; key++) {
        sent.incrementAndGet();
        var record = new ProducerRecord<>(TOPIC, key, "k" + key, key + "/" + sequence);
        var _ = producer.send(record, (_, failure) -> told(failure));
      }
      LockSupport.parkNanos(PERIOD_NANOS);
    }
    producer.flush();
  }

  private void told(@Nullable Exception failure) {
    if (failure == null) {
      acknowledged.incrementAndGet();
    } else {
      failures.add(failure);
    }
  }

  void awaitAcknowledged(int more) {
    int target = acknowledged.get() + more;
    await("more of the moved records")
        .atMost(Clients.PATIENCE)
        .until(acknowledged::get, count -> count >= target);
  }

  /** Ends the load: each record is in one of the places once, in its order, and none failed. */
  void assertEachOnce(int moves, EmbeddedCluster... places) throws InterruptedException {
    stopped.set(true);
    thread.join(Clients.PATIENCE.toMillis());
    System.out.println(
        "MOVED %d times: %d records, %d re-bootstraps, noticed %s"
            .formatted(
                moves,
                sent.get(),
                noticed.count(Measure.REBOOTSTRAPS, Window.WARMING),
                noticed.kinds(Window.WARMING)));
    assertThat(failures).isEmpty();
    assertThat(noticed.count(Measure.REBOOTSTRAPS, Window.WARMING))
        .as("re-bootstraps: one each time, and perhaps another")
        .isLessThanOrEqualTo(2L * moves);
    var all = new TreeMap<String, List<Integer>>();
    for (var kafka : places) {
      var place = values(kafka);
      assertThat(place).as("records in each Kafka cluster").isNotEmpty();
      place.values().forEach(sequences -> assertThat(sequences).isSorted());
      place.forEach((key, some) -> all.computeIfAbsent(key, _ -> new ArrayList<>()).addAll(some));
    }
    assertThat(all.values()).allSatisfy(some -> assertThat(some).doesNotHaveDuplicates());
    assertThat(all.values().stream().mapToInt(List::size).sum()).isEqualTo(sent.get());
  }

  /** All that is there, by key: values are {@code key/sequence}. */
  private static Map<String, List<Integer>> values(EmbeddedCluster kafka) {
    var clients = new Clients(kafka.bootstrapServers());
    var settings = Map.<String, Object>of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    var byKey = new TreeMap<String, List<Integer>>();
    try (var consumer = clients.consumer("all-of-it", settings)) {
      var partitions =
          consumer.partitionsFor(TOPIC).stream()
              .map(each -> new TopicPartition(TOPIC, each.partition()))
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

  @Override
  public void close() {
    stopped.set(true);
    producer.close(Clients.PATIENCE);
    tap.close();
  }
}
