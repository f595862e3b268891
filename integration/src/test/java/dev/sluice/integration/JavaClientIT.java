package dev.sluice.integration;

import static dev.sluice.integration.Clients.consume;
import static dev.sluice.integration.Clients.done;
import static dev.sluice.integration.Clients.produce;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java client through the proxy. */
@ExtendWith(KafkaCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaClientIT {

  private static final int RECORDS = 1_000;

  private RunningProxy proxy;
  private Clients clients;

  @BeforeAll
  void start(EmbeddedCluster kafka) {
    proxy = RunningProxy.inFrontOf(kafka, "orders", "payments");
    clients = new Clients(proxy.bootstrapServers("orders"));
  }

  @AfterEach
  void nothing_is_left_in_flight() {
    await()
        .atMost(Clients.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(proxy.proxy().virtualCluster("orders").orElseThrow())
                    .satisfies(view -> assertThat(view.connections()).isZero())
                    .satisfies(view -> assertThat(view.requestsInFlight()).isZero()));
  }

  @AfterAll
  void stop() {
    proxy.close();
  }

  @Test
  void all_brokers_are_told_at_the_addresses_of_the_gateway() throws Exception {
    int first =
        proxy
            .proxy()
            .virtualCluster("orders")
            .orElseThrow()
            .spec()
            .gateways()
            .getFirst()
            .nodeStartPort();
    try (var admin = clients.admin()) {
      assertThat(done(admin.describeCluster().nodes()))
          .extracting(Node::host, Node::port)
          .containsExactlyInAnyOrder(
              org.assertj.core.groups.Tuple.tuple("127.0.0.1", first),
              org.assertj.core.groups.Tuple.tuple("127.0.0.1", first + 1),
              org.assertj.core.groups.Tuple.tuple("127.0.0.1", first + 2));
    }
  }

  @ParameterizedTest(name = "acks={0}, idempotent: {1}, {2}, group protocol {3}")
  @CsvSource({
    "all, true, none, classic",
    "all, true, zstd, consumer",
    "all, false, lz4, consumer",
    "1, false, none, classic"
  })
  void what_is_produced_is_consumed(
      String acks, boolean idempotent, String compression, String protocol) throws Exception {
    var topic = clients.topic();
    try (var producer =
        clients.producer(
            Map.of(
                ProducerConfig.ACKS_CONFIG, acks,
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, idempotent,
                ProducerConfig.COMPRESSION_TYPE_CONFIG, compression))) {
      produce(producer, topic, RECORDS);
    }
    try (var consumer =
        clients.consumer(topic, Map.of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol))) {
      consumer.subscribe(List.of(topic));
      assertThat(consume(consumer, RECORDS)).containsExactlyInAnyOrderElementsOf(values(RECORDS));
      consumer.commitSync();
    }
  }

  @Test
  void what_is_sent_without_acknowledgement_arrives() throws Exception {
    var topic = clients.topic();
    try (var producer =
        clients.producer(
            Map.of(
                ProducerConfig.ACKS_CONFIG,
                "0",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                false))) {
      produce(producer, topic, RECORDS);
    }
    try (var consumer = clients.consumer(topic, Map.of())) {
      consumer.subscribe(List.of(topic));
      assertThat(consume(consumer, RECORDS)).containsExactlyInAnyOrderElementsOf(values(RECORDS));
    }
  }

  @Test
  void records_of_a_mebibyte_pass() throws Exception {
    var topic = clients.topic();
    var large = "x".repeat(1_000_000);
    try (var producer = clients.producer(Map.of())) {
      for (int i = 0; i < 20; i++) {
        var _ = producer.send(new ProducerRecord<>(topic, "k" + i, large + i));
      }
    }
    try (var consumer =
        clients.consumer(topic, Map.of(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 16 * 1024 * 1024))) {
      consumer.subscribe(List.of(topic));
      assertThat(consume(consumer, 20))
          .hasSize(20)
          .doesNotHaveDuplicates()
          .allMatch(value -> value.startsWith(large));
    }
  }

  @Test
  void a_transaction_is_seen_when_it_is_committed_and_not_when_it_is_aborted() throws Exception {
    var topic = clients.topic();
    try (var producer = clients.producer(Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic))) {
      producer.initTransactions();
      producer.beginTransaction();
      var _ = producer.send(new ProducerRecord<>(topic, "aborted"));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      for (int i = 0; i < RECORDS; i++) {
        var _ = producer.send(new ProducerRecord<>(topic, "k" + i, "v" + i));
      }
      producer.commitTransaction();
    }
    try (var consumer =
        clients.consumer(topic, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"))) {
      consumer.subscribe(List.of(topic));
      assertThat(consume(consumer, RECORDS)).containsExactlyInAnyOrderElementsOf(values(RECORDS));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void a_group_shares_the_partitions_and_remembers_its_offsets(String protocol) throws Exception {
    var topic = clients.topic();
    var settings = Map.<String, Object>of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol);
    try (var producer = clients.producer(Map.of())) {
      produce(producer, topic, RECORDS);
    }
    var seen = new ArrayList<String>();
    try (var one = clients.consumer(topic, settings);
        var other = clients.consumer(topic, settings)) {
      one.subscribe(List.of(topic));
      other.subscribe(List.of(topic));
      await()
          .atMost(Clients.PATIENCE)
          .untilAsserted(
              () -> {
                one.poll(Duration.ofMillis(100)).forEach(record -> seen.add(record.value()));
                other.poll(Duration.ofMillis(100)).forEach(record -> seen.add(record.value()));
                one.commitSync();
                other.commitSync();
                assertThat(one.assignment()).isNotEmpty();
                assertThat(other.assignment()).isNotEmpty();
                assertThat(new TreeSet<>(seen)).hasSize(RECORDS);
              });
    }
    try (var later = clients.consumer(topic, settings)) {
      later.subscribe(List.of(topic));
      await()
          .atMost(Clients.PATIENCE)
          .untilAsserted(
              () -> {
                assertThat(later.poll(Duration.ofMillis(100))).isEmpty();
                assertThat(later.assignment()).hasSize(3);
              });
    }
  }

  @Test
  void a_share_group_consumes_each_record() throws Exception {
    var topic = clients.topic();
    try (var admin = clients.admin()) {
      var group = new ConfigResource(ConfigResource.Type.GROUP, topic);
      var earliest =
          new AlterConfigOp(
              new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
      done(admin.incrementalAlterConfigs(Map.of(group, List.of(earliest))).all());
    }
    try (var producer = clients.producer(Map.of())) {
      produce(producer, topic, RECORDS);
    }
    var seen = new TreeSet<String>();
    try (var consumer = clients.shareConsumer(topic)) {
      consumer.subscribe(List.of(topic));
      await()
          .atMost(Clients.PATIENCE)
          .untilAsserted(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> seen.add(record.value()));
                consumer.commitSync();
                assertThat(seen).hasSize(RECORDS);
              });
    }
  }

  @Test
  void a_cluster_is_administered() throws Exception {
    var topic = clients.topic();
    try (var admin = clients.admin()) {
      done(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(6))).all());
      var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      var retention =
          new AlterConfigOp(new ConfigEntry("retention.ms", "12345"), AlterConfigOp.OpType.SET);
      done(admin.incrementalAlterConfigs(Map.of(resource, List.of(retention))).all());
      // Brokers learn of a change one after the other.
      await()
          .atMost(Clients.PATIENCE)
          .ignoreExceptionsInstanceOf(ExecutionException.class)
          .untilAsserted(
              () -> {
                var config =
                    requireNonNull(
                        done(admin.describeConfigs(List.of(resource)).all()).get(resource));
                assertThat(config.get("retention.ms").value()).isEqualTo("12345");
                var description =
                    requireNonNull(
                        done(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic));
                assertThat(description.partitions())
                    .hasSize(6)
                    .allMatch(partition -> partition.leader().port() > 0);
              });
      var offsets =
          done(admin.listOffsets(Map.of(new TopicPartition(topic, 0), OffsetSpec.latest())).all());
      assertThat(offsets).hasSize(1);
      assertThat(done(admin.describeMetadataQuorum().quorumInfo()).leaderId()).isPositive();
      assertThat(done(admin.describeLogDirs(List.of(1, 2, 3)).allDescriptions())).hasSize(3);
      done(admin.deleteTopics(List.of(topic)).all());
      await()
          .atMost(Clients.PATIENCE)
          .untilAsserted(() -> assertThat(done(admin.listTopics().names())).doesNotContain(topic));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "streams"})
  void a_streams_application_processes_exactly_once(String protocol) throws Exception {
    var in = clients.topic();
    var out = clients.topic();
    try (var producer = clients.producer(Map.of())) {
      produce(producer, in, RECORDS);
    }
    var builder = new StreamsBuilder();
    builder.stream(in, Consumed.with(Serdes.String(), Serdes.String()))
        .mapValues(value -> value + "!")
        .to(out, Produced.with(Serdes.String(), Serdes.String()));
    var settings = new Properties();
    settings.putAll(clients.settings(Map.of()));
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, in);
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    settings.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, protocol);
    settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    try (var streams = new KafkaStreams(builder.build(), settings);
        var consumer =
            clients.consumer(
                out, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"))) {
      streams.start();
      consumer.subscribe(List.of(out));
      assertThat(consume(consumer, RECORDS))
          .containsExactlyInAnyOrderElementsOf(
              values(RECORDS).stream().map(value -> value + "!").toList());
    }
  }

  @Test
  void two_virtual_clusters_lead_to_the_same_records() throws Exception {
    var topic = clients.topic();
    try (var producer = clients.producer(Map.of())) {
      produce(producer, topic, RECORDS);
    }
    try (var consumer = new Clients(proxy.bootstrapServers("payments")).consumer(topic, Map.of())) {
      consumer.subscribe(List.of(topic));
      assertThat(consume(consumer, RECORDS)).containsExactlyInAnyOrderElementsOf(values(RECORDS));
    }
  }

  private static List<String> values(int count) {
    return IntStream.range(0, count).mapToObj(i -> "v" + i).collect(Collectors.toList());
  }
}
