package dev.sluice.integration;

import static dev.sluice.integration.Clients.consume;
import static dev.sluice.integration.Clients.done;
import static dev.sluice.integration.Clients.produce;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.filter.Settings;
import dev.sluice.filters.prefix.TopicPrefixFactory;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.proxy.FilterSpec;
import dev.sluice.proxy.VirtualClusterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two tenants under prefixes of their own beside somebody who sees all, on real brokers. */
@ExtendWith(KafkaCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterIT {

  private static final int RECORDS = 500;
  private static final String A = "tenant-a.";
  private static final String B = "tenant-b.";

  private RunningProxy proxy;
  private Clients a;
  private Clients b;
  private Clients all;

  @BeforeAll
  void start(EmbeddedCluster kafka) {
    proxy =
        RunningProxy.start(
            List.of(
                under(A, RunningProxy.spec("tenant-a", kafka)),
                under(B, RunningProxy.spec("tenant-b", kafka)),
                RunningProxy.spec("all", kafka)),
            FailurePolicy.DEFAULT);
    proxy.awaitServing();
    a = new Clients(proxy.bootstrapServers("tenant-a"));
    b = new Clients(proxy.bootstrapServers("tenant-b"));
    all = new Clients(proxy.bootstrapServers("all"));
  }

  static VirtualClusterSpec under(String prefix, VirtualClusterSpec spec) {
    var factory = new TopicPrefixFactory();
    var settings = Settings.of(factory.settings(), Map.of("prefix", prefix));
    return spec.withFilters(
        List.of(new FilterSpec("prefix", factory, settings, FilterSpec.DEFAULT_TIME_LIMIT)));
  }

  @AfterEach
  void nothing_is_left_in_flight() {
    await()
        .atMost(Clients.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(proxy.proxy().virtualClusters())
                    .allSatisfy(view -> assertThat(view.connections()).isZero())
                    .allSatisfy(view -> assertThat(view.requestsInFlight()).isZero()));
  }

  @AfterAll
  void stop() {
    proxy.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void two_tenants_with_the_same_names_see_none_of_each_other(String protocol) throws Exception {
    var name = bothHave("orders-" + protocol);
    try (var one = a.producer(Map.of());
        var other = b.producer(Map.of())) {
      produce(one, name, RECORDS);
      for (int i = 0; i < RECORDS; i++) {
        var _ = other.send(new ProducerRecord<>(name, "k" + i, "w" + i));
      }
    }
    var settings = Map.<String, Object>of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol);
    try (var one = a.consumer(name, settings);
        var other = b.consumer(name, settings)) {
      one.subscribe(List.of(name));
      other.subscribe(List.of(name));
      assertThat(consume(one, RECORDS)).containsExactlyInAnyOrderElementsOf(values("v"));
      assertThat(consume(other, RECORDS)).containsExactlyInAnyOrderElementsOf(values("w"));
      assertThat(one.assignment()).allMatch(partition -> partition.topic().equals(name));
      one.commitSync();
      other.commitSync();
      assertSeenAs(name, protocol);
    }
  }

  /** What admins see of a group that is in use. */
  private void assertSeenAs(String name, String protocol) throws Exception {
    try (var tenant = a.admin();
        var everybody = all.admin()) {
      assertThat(groups(tenant)).contains(name).noneMatch(FilterIT::isPrefixed);
      assertThat(groups(everybody)).contains(A + name, B + name);
      var mine = requireNonNull(done(tenant.describeConsumerGroups(List.of(name)).all()).get(name));
      assertThat(mine.members())
          .flatExtracting(member -> member.assignment().topicPartitions())
          .hasSize(3)
          .extracting("topic")
          .containsOnly(name);
      var theirs =
          requireNonNull(
              done(everybody.describeConsumerGroups(List.of(A + name)).all()).get(A + name));
      assertThat(theirs.members())
          .as("what %s members told the broker", protocol)
          .flatExtracting(member -> member.assignment().topicPartitions())
          .hasSize(3)
          .extracting("topic")
          .containsOnly(A + name);
      var offsets = requireNonNull(done(tenant.listConsumerGroupOffsets(name).all()).get(name));
      assertThat(offsets.keySet()).hasSize(3).extracting("topic").containsOnly(name);
    }
  }

  @Test
  void nothing_of_others_is_listed() throws Exception {
    var name = bothHave("listed");
    try (var tenant = a.admin();
        var everybody = all.admin()) {
      assertThat(done(tenant.listTopics().names()))
          .contains(name)
          .noneMatch(FilterIT::isPrefixed)
          .noneMatch(topic -> topic.startsWith("__"));
      assertThat(done(everybody.listTopics().names())).contains(A + name, B + name);
      assertThat(done(tenant.describeTopics(List.of(name)).allTopicNames())).containsKey(name);
      assertThat(topicsOfLogDirs(tenant)).contains(name).noneMatch(FilterIT::isPrefixed);
      assertThat(
              done(
                  tenant
                      .listConfigResources(
                          Set.of(ConfigResource.Type.TOPIC), new ListConfigResourcesOptions())
                      .all()))
          .extracting(ConfigResource::name)
          .contains(name)
          .noneMatch(FilterIT::isPrefixed);
      assertThat(done(tenant.listPartitionReassignments().reassignments())).isEmpty();
    }
  }

  @Test
  void the_id_of_anothers_topic_is_one_that_is_not_there() throws Exception {
    var name = bothHave("known-by-id");
    try (var tenant = a.admin();
        var everybody = all.admin()) {
      var described = done(everybody.describeTopics(List.of(A + name, B + name)).allTopicNames());
      var mine = requireNonNull(described.get(A + name)).topicId();
      var theirs = requireNonNull(described.get(B + name)).topicId();
      var found =
          done(tenant.describeTopics(TopicCollection.ofTopicIds(List.of(mine))).allTopicIds());
      assertThat(requireNonNull(found.get(mine)).name()).isEqualTo(name);
      assertThat(
              tenant
                  .describeTopics(TopicCollection.ofTopicIds(List.of(theirs)))
                  .allTopicIds()
                  .toCompletionStage()
                  .toCompletableFuture())
          .failsWithin(Clients.PATIENCE)
          .withThrowableThat()
          .withRootCauseInstanceOf(UnknownTopicIdException.class);
    }
  }

  @Test
  void a_tenant_administers_its_topics() throws Exception {
    var name = bothHave("administered");
    try (var producer = a.producer(Map.of())) {
      produce(producer, name, RECORDS);
    }
    try (var tenant = a.admin();
        var everybody = all.admin()) {
      done(tenant.createPartitions(Map.of(name, NewPartitions.increaseTo(4))).all());
      var resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
      var retention =
          new AlterConfigOp(new ConfigEntry("retention.ms", "12345"), AlterConfigOp.OpType.SET);
      done(tenant.incrementalAlterConfigs(Map.of(resource, List.of(retention))).all());
      var seen = new ConfigResource(ConfigResource.Type.TOPIC, A + name);
      await()
          .atMost(Clients.PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () -> assertThat(retention(everybody, seen)).isEqualTo(retention(tenant, resource)));
      assertThat(retention(everybody, new ConfigResource(ConfigResource.Type.TOPIC, B + name)))
          .isNotEqualTo("12345");
      var partition = new TopicPartition(name, 0);
      var latest =
          done(tenant.listOffsets(Map.of(partition, OffsetSpec.latest())).all()).get(partition);
      done(
          tenant
              .deleteRecords(
                  Map.of(partition, RecordsToDelete.beforeOffset(requireNonNull(latest).offset())))
              .all());
      done(tenant.deleteTopics(List.of(name)).all());
      await()
          .atMost(Clients.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(done(everybody.listTopics().names()))
                      .contains(B + name)
                      .doesNotContain(A + name));
    }
  }

  private static String retention(Admin admin, ConfigResource of) throws Exception {
    return requireNonNull(done(admin.describeConfigs(List.of(of)).all()).get(of))
        .get("retention.ms")
        .value();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void a_pattern_finds_the_topics_of_the_tenant(String protocol) throws Exception {
    var first = bothHave("found-" + protocol + "-1");
    var second = bothHave("found-" + protocol + "-2");
    try (var producer = b.producer(Map.of())) {
      produce(producer, first, RECORDS);
      produce(producer, second, RECORDS);
    }
    try (var consumer = b.consumer(first, Map.of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol))) {
      if (protocol.equals("classic")) {
        consumer.subscribe(Pattern.compile("^found-classic-[12].*"));
      } else {
        consumer.subscribe(new SubscriptionPattern("^found-consumer-[12].*"));
      }
      assertThat(consume(consumer, 2 * RECORDS)).hasSize(2 * RECORDS);
      assertThat(consumer.assignment()).extracting("topic").containsOnly(first, second);
    }
  }

  @Test
  void transactions_of_the_same_id_are_each_tenants_own() throws Exception {
    var name = bothHave("paid");
    var id = Map.<String, Object>of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, name);
    try (var one = a.producer(id);
        var other = b.producer(id);
        var consumer =
            a.consumer(name, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"))) {
      one.initTransactions();
      other.initTransactions(); // Would fence the first if both had the same.
      one.beginTransaction();
      other.beginTransaction();
      var _ = other.send(new ProducerRecord<>(name, "k", "aborted"));
      for (int i = 0; i < RECORDS; i++) {
        var _ = one.send(new ProducerRecord<>(name, "k" + i, "v" + i));
      }
      one.flush();
      consumer.subscribe(List.of(name));
      one.sendOffsetsToTransaction(
          Map.of(new TopicPartition(name, 0), new OffsetAndMetadata(0)), consumer.groupMetadata());
      assertListed(name);
      one.commitTransaction();
      other.abortTransaction();
      assertThat(consume(consumer, RECORDS)).containsExactlyInAnyOrderElementsOf(values("v"));
    }
  }

  private void assertListed(String id) throws Exception {
    try (var tenant = a.admin();
        var everybody = all.admin()) {
      assertThat(done(tenant.listTransactions().all()))
          .extracting(TransactionListing::transactionalId)
          .contains(id)
          .noneMatch(FilterIT::isPrefixed);
      assertThat(done(everybody.listTransactions().all()))
          .extracting(TransactionListing::transactionalId)
          .contains(A + id, B + id);
      var described = done(tenant.describeTransactions(List.of(id)).all()).get(id);
      assertThat(requireNonNull(described).topicPartitions()).extracting("topic").contains(id);
    }
  }

  @Test
  void a_share_group_is_its_tenants_own() throws Exception {
    var name = bothHave("shared");
    try (var tenant = b.admin()) {
      var earliest =
          new AlterConfigOp(
              new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
      var group = new ConfigResource(ConfigResource.Type.GROUP, name);
      done(tenant.incrementalAlterConfigs(Map.of(group, List.of(earliest))).all());
    }
    try (var producer = b.producer(Map.of())) {
      produce(producer, name, RECORDS);
    }
    var seen = new TreeSet<String>();
    try (var consumer = b.shareConsumer(name);
        var tenant = b.admin();
        var everybody = all.admin()) {
      consumer.subscribe(List.of(name));
      await()
          .atMost(Clients.PATIENCE)
          .untilAsserted(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> seen.add(record.value()));
                consumer.commitSync();
                assertThat(seen).hasSize(RECORDS);
              });
      assertThat(groups(tenant)).contains(name).noneMatch(FilterIT::isPrefixed);
      assertThat(groups(everybody)).contains(B + name).doesNotContain(A + name);
      var described = done(tenant.describeShareGroups(List.of(name)).all()).get(name);
      assertThat(requireNonNull(described).members())
          .flatExtracting(member -> member.assignment().topicPartitions())
          .extracting("topic")
          .containsOnly(name);
    }
  }

  @Test
  void streams_applications_with_state_count_their_tenants_records() throws Exception {
    try (var classic = new Counting("classic");
        var streams = new Counting("streams")) {
      classic.assertCounted();
      streams.assertCounted();
    }
  }

  /** An application that counts a tenant's records; both protocols run at once to save time. */
  private final class Counting implements AutoCloseable {
    private final String in;
    private final String out;
    private final KafkaStreams streams;

    Counting(String protocol) throws Exception {
      in = bothHave("in-" + protocol);
      out = bothHave("out-" + protocol);
      try (var producer = a.producer(Map.of())) {
        produce(producer, in, RECORDS);
      }
      streams = new KafkaStreams(topology(in, out), settings(protocol));
      streams.start();
    }

    private Properties settings(String protocol) {
      var settings = new Properties();
      settings.putAll(a.settings(Map.of()));
      settings.put(StreamsConfig.APPLICATION_ID_CONFIG, in);
      settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
      settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
      settings.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, protocol);
      settings.put(
          StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
      return settings;
    }

    void assertCounted() throws Exception {
      var committed =
          Map.<String, Object>of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
      try (var everybody = all.admin();
          var consumer = a.consumer(out, committed)) {
        consumer.subscribe(List.of(out));
        assertThat(consume(consumer, RECORDS)).contains(Integer.toString(RECORDS));
        assertThat(done(everybody.listTopics().names()))
            .contains(A + in + "-counts-changelog", A + in + "-counts-repartition");
      }
    }

    @Override
    public void close() {
      streams.close();
    }
  }

  private static Topology topology(String in, String out) {
    var builder = new StreamsBuilder();
    builder.stream(in, Consumed.with(Serdes.String(), Serdes.String()))
        .groupBy(
            (_, value) -> "all-" + value.charAt(0), Grouped.with(Serdes.String(), Serdes.String()))
        .count(
            Materialized.<String, Long>as(Stores.inMemoryKeyValueStore("counts"))
                .withKeySerde(Serdes.String())
                .withValueSerde(Serdes.Long())
                .withCachingDisabled())
        .toStream()
        .mapValues(String::valueOf)
        .to(out, Produced.with(Serdes.String(), Serdes.String()));
    return builder.build();
  }

  @Test
  void kcat_sees_its_tenants_records_and_topics_only() throws Exception {
    assumeTrue(Child.find("kcat").isPresent(), "kcat is not installed");
    var name = bothHave("kcat");
    assertThat(kcat("tenant-b", "theirs\n", "-P", "-t", name).exitStatus()).isZero();
    var lines = values("v");
    var produced = kcat("tenant-a", String.join("\n", lines) + "\n", "-P", "-t", name);
    assertThat(produced.exitStatus()).as(produced.output()).isZero();
    var listed = kcat("tenant-a", "", "-L");
    assertThat(listed.output())
        .contains("\"" + name + "\"")
        .doesNotContain("tenant-", "__consumer_offsets");
    var consumed =
        kcat(
            "tenant-a",
            "",
            "-q",
            "-X",
            "auto.offset.reset=earliest",
            "-c",
            Integer.toString(RECORDS),
            "-G",
            name,
            name);
    assertThat(consumed.exitStatus()).as(consumed.output()).isZero();
    assertThat(consumed.output().lines().toList()).containsExactlyInAnyOrderElementsOf(lines);
  }

  private Child kcat(String cluster, String input, String... arguments)
      throws InterruptedException {
    var command = new ArrayList<>(List.of("kcat", "-b", proxy.bootstrapServers(cluster)));
    command.addAll(List.of(arguments));
    return Child.run(command, input);
  }

  /** A topic that both tenants have under the same name. */
  private String bothHave(String base) throws Exception {
    var name = base + "-" + UUID.randomUUID();
    for (var tenant : List.of(a, b)) {
      try (var admin = tenant.admin()) {
        done(admin.createTopics(List.of(new NewTopic(name, 3, (short) 3))).all());
        Clients.awaitEverywhere(admin, name);
      }
    }
    return name;
  }

  private static boolean isPrefixed(String name) {
    return name.startsWith("tenant-");
  }

  private static Collection<String> groups(Admin admin) throws Exception {
    return done(admin.listGroups().all()).stream().map(GroupListing::groupId).toList();
  }

  private static Set<String> topicsOfLogDirs(Admin admin) throws Exception {
    var topics = new TreeSet<String>();
    done(admin.describeLogDirs(List.of(1, 2, 3)).allDescriptions())
        .values()
        .forEach(
            dirs ->
                dirs.values()
                    .forEach(
                        dir ->
                            dir.replicaInfos()
                                .keySet()
                                .forEach(partition -> topics.add(partition.topic()))));
    return topics;
  }

  private static List<String> values(String letter) {
    return IntStream.range(0, RECORDS).mapToObj(i -> letter + i).toList();
  }
}
