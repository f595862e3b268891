package dev.sluice.integration;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Java clients of one bootstrap address, in the words of the tests. */
final class Clients {

  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String bootstrapServers;

  Clients(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  Map<String, Object> settings(Map<String, Object> more) {
    var settings = new HashMap<String, Object>(more);
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    return settings;
  }

  Admin admin() {
    return Admin.create(settings(Map.of()));
  }

  KafkaProducer<String, String> producer(Map<String, Object> settings) {
    return new KafkaProducer<>(settings(settings), new StringSerializer(), new StringSerializer());
  }

  KafkaConsumer<String, String> consumer(String group, Map<String, Object> settings) {
    var all = settings(settings);
    all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
  }

  KafkaShareConsumer<String, String> shareConsumer(String group) {
    var all = settings(Map.of(ConsumerConfig.GROUP_ID_CONFIG, group));
    return new KafkaShareConsumer<>(all, new StringDeserializer(), new StringDeserializer());
  }

  /** A new topic with three partitions on three brokers. */
  String topic() throws Exception {
    return topic(3, 3);
  }

  String topic(int partitions, int brokers) throws Exception {
    var topic = "t-" + UUID.randomUUID();
    try (var admin = admin()) {
      done(admin.createTopics(List.of(new NewTopic(topic, partitions, (short) brokers))).all());
      awaitEverywhere(admin, topic);
    }
    return topic;
  }

  /**
   * Brokers learn of a topic one after the other, and whoever is asked next may be the last. A
   * broker that keeps a copy knows of it before it begins to.
   */
  static void awaitEverywhere(Admin admin, String topic) throws Exception {
    var brokers = done(admin.describeCluster().nodes()).stream().map(Node::id).toList();
    await(topic + " at brokers " + brokers)
        .atMost(PATIENCE)
        .until(
            () ->
                done(admin.describeLogDirs(brokers).allDescriptions()).values().stream()
                    .allMatch(folders -> isIn(folders.values(), topic)));
  }

  private static boolean isIn(Collection<LogDirDescription> folders, String topic) {
    return folders.stream()
        .flatMap(folder -> folder.replicaInfos().keySet().stream())
        .anyMatch(partition -> partition.topic().equals(topic));
  }

  /** Produces so many records, numbered from 0, and waits until all are acknowledged. */
  static void produce(KafkaProducer<String, String> producer, String topic, int count)
      throws Exception {
    var sent = new ArrayList<java.util.concurrent.Future<?>>();
    for (int i = 0; i < count; i++) {
      sent.add(producer.send(new ProducerRecord<>(topic, "k" + i, "v" + i)));
    }
    for (var one : sent) {
      one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Polls until so many values have come, or patience has ended. */
  static List<String> consume(Consumer<String, String> consumer, int count) {
    var values = new ArrayList<String>();
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (values.size() < count && System.nanoTime() < until) {
      consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
    }
    return values;
  }

  static <T> T done(KafkaFuture<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
