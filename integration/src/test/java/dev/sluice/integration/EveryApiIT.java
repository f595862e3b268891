package dev.sluice.integration;

import static dev.sluice.integration.Clients.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeAclsRequestData;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every API in every version that a broker offers makes a round trip through the proxy. */
@ExtendWith(KafkaCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryApiIT {

  private static final short VERSIONS_ASKED_IN = 3;

  /** What brokers say to each other, though the broker's listener offers it. */
  private static final List<ApiKeys> BETWEEN_BROKERS =
      List.of(
          ApiKeys.INITIALIZE_SHARE_GROUP_STATE,
          ApiKeys.READ_SHARE_GROUP_STATE,
          ApiKeys.WRITE_SHARE_GROUP_STATE,
          ApiKeys.DELETE_SHARE_GROUP_STATE,
          ApiKeys.READ_SHARE_GROUP_STATE_SUMMARY);

  private RunningProxy proxy;
  private Endpoint broker;

  @BeforeAll
  void start(EmbeddedCluster kafka) {
    proxy = RunningProxy.inFrontOf(kafka, "orders");
    var address = kafka.server(1).brokerAddress().orElseThrow().split(":", 2);
    broker = new Endpoint(address[0], Integer.parseInt(address[1]));
  }

  @AfterAll
  void stop() {
    proxy.close();
  }

  @Test
  void what_a_broker_offers_is_offered_but_for_what_is_said_between_brokers() throws IOException {
    var expected = offered(broker);
    BETWEEN_BROKERS.forEach(expected::remove);
    assertThat(offered(node(1))).isEqualTo(expected);
  }

  @TestFactory
  Stream<DynamicTest> every_version_makes_a_round_trip() throws IOException {
    var offered = offered(broker);
    BETWEEN_BROKERS.forEach(offered::remove);
    return offered.entrySet().stream()
        .flatMap(
            entry ->
                versions(entry.getKey(), entry.getValue())
                    .mapToObj(version -> roundTrip(entry.getKey(), (short) version)));
  }

  private static IntStream versions(ApiKeys api, Range range) {
    // Brokers announce versions of Produce that they refuse (KAFKA-18659).
    int oldest = Math.max(range.oldest(), api.oldestVersion());
    return IntStream.rangeClosed(oldest, range.newest());
  }

  private DynamicTest roundTrip(ApiKeys api, short version) {
    var treatment =
        Apis.responseTreatment(api.id, version).name().toLowerCase(java.util.Locale.ROOT);
    return DynamicTest.dynamicTest(
        api.name + " v" + version + " (" + treatment + ")",
        () -> {
          assertThat(Apis.known(api.id, version)).isTrue();
          var request = plainest(api, version);
          try (var through = new RawClient(node(1));
              var directly = new RawClient(broker)) {
            var answer = through.ask(request, version);
            var same = directly.ask(plainest(api, version), version);
            assertThat(answer.getClass()).isEqualTo(same.getClass());
            assertThat(errors(api, answer, version)).isEqualTo(errors(api, same, version));
            assertNoBrokerAddressIn(answer);
          }
        });
  }

  /** Which errors an answer holds, and how many of each. */
  private static Map<Errors, Integer> errors(ApiKeys api, ApiMessage answer, short version) {
    var bytes = MessageUtil.toByteBufferAccessor(answer, version);
    return AbstractResponse.parseResponse(api, bytes, version).errorCounts();
  }

  /** The emptiest request that a broker answers. */
  private static ApiMessage plainest(ApiKeys api, short version) {
    var request = api.messageType.newRequest();
    return switch (request) {
      case ProduceRequestData produce -> produce.setAcks((short) 1).setTimeoutMs(1000);
      case MetadataRequestData metadata -> metadata.setTopics(List.of());
      case DescribeAclsRequestData acls ->
          acls.setResourceTypeFilter(ResourceType.ANY.code())
              .setPatternTypeFilter(PatternType.ANY.code())
              .setOperation(AclOperation.ANY.code())
              .setPermissionType(AclPermissionType.ANY.code());
      case AddPartitionsToTxnRequestData add when version >= 4 -> {
        // Brokers do not answer a batch of no transactions.
        var one = new AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction();
        add.transactions().add(one.setTransactionalId("none"));
        yield add;
      }
      default -> request;
    };
  }

  private void assertNoBrokerAddressIn(ApiMessage answer) {
    assertThat(answer.toString()).doesNotContain("port=" + broker.port());
  }

  @Test
  void metadata_names_the_gateway_in_every_version() throws IOException {
    for (short version : versionsOf(ApiKeys.METADATA)) {
      try (var client = new RawClient(node(2))) {
        var answer =
            (MetadataResponseData)
                client.ask(new MetadataRequestData().setTopics(List.of()), version);
        var ports =
            answer.brokers().stream().map(MetadataResponseData.MetadataResponseBroker::port);
        assertThat(ports)
            .as("version %d", version)
            .containsExactlyInAnyOrderElementsOf(nodePorts());
      }
    }
  }

  @Test
  void a_cluster_description_names_the_gateway_in_every_version() throws IOException {
    for (short version : versionsOf(ApiKeys.DESCRIBE_CLUSTER)) {
      try (var client = new RawClient(node(2))) {
        var answer =
            (DescribeClusterResponseData) client.ask(new DescribeClusterRequestData(), version);
        var ports =
            answer.brokers().stream().map(DescribeClusterResponseData.DescribeClusterBroker::port);
        assertThat(ports)
            .as("version %d", version)
            .containsExactlyInAnyOrderElementsOf(nodePorts());
      }
    }
  }

  @Test
  void a_coordinator_is_found_at_the_gateway_in_every_version() throws Exception {
    var clients = new Clients(proxy.bootstrapServers("orders"));
    var topic = clients.topic();
    try (var consumer = clients.consumer(topic, Map.of())) {
      consumer.subscribe(List.of(topic));
      await("the offsets topic, without which nobody joins")
          .atMost(Clients.PATIENCE)
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200));
                return !consumer.assignment().isEmpty();
              });
    }
    await("node 2 knows of both coordinators")
        .atMost(Clients.PATIENCE)
        .until(this::coordinatorsAreKnown);
    for (short version : versionsOf(ApiKeys.FIND_COORDINATOR)) {
      try (var client = new RawClient(node(2))) {
        var request =
            version < 4
                ? new FindCoordinatorRequestData().setKey("group")
                : new FindCoordinatorRequestData().setCoordinatorKeys(List.of("group", "other"));
        var answer = (FindCoordinatorResponseData) client.ask(request, version);
        var ports = new ArrayList<Integer>();
        if (version < 4) {
          ports.add(answer.port());
        } else {
          answer.coordinators().forEach(one -> ports.add(one.port()));
        }
        assertThat(ports).as("version %d: %s", version, answer).isSubsetOf(nodePorts());
      }
    }
  }

  private boolean coordinatorsAreKnown() throws IOException {
    try (var client = new RawClient(node(2))) {
      var request = new FindCoordinatorRequestData().setCoordinatorKeys(List.of("group", "other"));
      var answer =
          (FindCoordinatorResponseData)
              client.ask(request, Apis.newest(ApiKeys.FIND_COORDINATOR.id));
      return answer.coordinators().stream().allMatch(one -> one.errorCode() == 0);
    }
  }

  @Test
  void who_produces_to_a_follower_is_led_to_the_leader_at_the_gateway() throws Exception {
    var topic = led();
    for (short version : versionsOf(ApiKeys.PRODUCE)) {
      if (version < 10) {
        continue; // Before KIP-951.
      }
      var partition =
          new ProduceRequestData.PartitionProduceData()
              .setIndex(0)
              .setRecords(
                  MemoryRecords.withRecords(
                      Compression.NONE,
                      new SimpleRecord("v".getBytes(java.nio.charset.StandardCharsets.UTF_8))));
      var data = new ProduceRequestData.TopicProduceData().setPartitionData(List.of(partition));
      if (version < 13) {
        data.setName(topic.name());
      } else {
        data.setTopicId(topic.topicId());
      }
      var request = new ProduceRequestData().setAcks((short) 1).setTimeoutMs(5000);
      request.topicData().add(data);
      try (var client = new RawClient(node(follower(topic)))) {
        var answer = (ProduceResponseData) client.ask(request, version);
        assertThat(answer.nodeEndpoints())
            .as("version %d: %s", version, answer)
            .singleElement()
            .satisfies(
                leader -> {
                  assertThat(leader.nodeId()).isEqualTo(leader(topic));
                  assertThat(leader.port()).isEqualTo(node(leader(topic)).port());
                });
      }
    }
  }

  @Test
  void who_fetches_from_a_node_that_is_no_replica_is_led_to_the_leader_at_the_gateway()
      throws Exception {
    var topic = led();
    for (short version : versionsOf(ApiKeys.FETCH)) {
      if (version < 16) {
        continue; // Before KIP-951.
      }
      var partition =
          new FetchRequestData.FetchPartition()
              .setPartition(0)
              .setPartitionMaxBytes(1024 * 1024)
              .setCurrentLeaderEpoch(-1);
      var request =
          new FetchRequestData()
              .setMaxWaitMs(100)
              .setMinBytes(0)
              .setMaxBytes(1024 * 1024)
              .setTopics(
                  List.of(
                      new FetchRequestData.FetchTopic()
                          .setTopicId(topic.topicId())
                          .setPartitions(List.of(partition))));
      try (var client = new RawClient(node(stranger(topic)))) {
        var answer = (FetchResponseData) client.ask(request, version);
        assertThat(answer.nodeEndpoints())
            .as("version %d: %s", version, answer)
            .singleElement()
            .satisfies(leader -> assertThat(leader.port()).isEqualTo(node(leader(topic)).port()));
      }
    }
  }

  @Test
  void who_fetches_for_a_share_group_from_a_follower_is_led_to_the_leader_at_the_gateway()
      throws Exception {
    var topic = led();
    for (short version : versionsOf(ApiKeys.SHARE_FETCH)) {
      var request =
          new ShareFetchRequestData()
              .setGroupId("share-" + topic.name())
              .setMemberId(Uuid.randomUuid().toString())
              .setShareSessionEpoch(0)
              .setMaxWaitMs(100)
              .setMaxBytes(1024 * 1024)
              .setMaxRecords(10)
              .setBatchSize(10);
      var shared = new ShareFetchRequestData.FetchTopic().setTopicId(topic.topicId());
      shared.partitions().add(new ShareFetchRequestData.FetchPartition().setPartitionIndex(0));
      request.topics().add(shared);
      try (var client = new RawClient(node(follower(topic)))) {
        var answer = (ShareFetchResponseData) client.ask(request, version);
        assertThat(answer.nodeEndpoints())
            .as("version %d: %s", version, answer)
            .singleElement()
            .satisfies(leader -> assertThat(leader.port()).isEqualTo(node(leader(topic)).port()));
      }
    }
  }

  @Test
  void a_version_that_nobody_knows_is_answered_with_those_that_are_known() throws IOException {
    try (var client = new java.net.Socket(node(1).host(), node(1).port())) {
      client.setSoTimeout((int) Clients.PATIENCE.toMillis());
      var out = ByteBuffer.allocate(4 + 10);
      out.putInt(10).putShort(ApiKeys.API_VERSIONS.id).putShort((short) 99).putInt(7);
      out.putShort((short) -1);
      client.getOutputStream().write(out.array());
      var in = new java.io.DataInputStream(client.getInputStream());
      in.readInt();
      assertThat(in.readInt()).as("correlation id").isEqualTo(7);
      assertThat(in.readShort()).as("error").isEqualTo((short) 35);
    }
  }

  private record Range(int oldest, int newest) {}

  private static Map<ApiKeys, Range> offered(Endpoint endpoint) throws IOException {
    var request =
        new ApiVersionsRequestData()
            .setClientSoftwareName("sluice-test")
            .setClientSoftwareVersion("1");
    try (var client = new RawClient(endpoint)) {
      var answer = (ApiVersionsResponseData) client.ask(request, VERSIONS_ASKED_IN);
      var offered = new TreeMap<ApiKeys, Range>();
      answer
          .apiKeys()
          .forEach(
              api ->
                  offered.put(
                      ApiKeys.forId(api.apiKey()), new Range(api.minVersion(), api.maxVersion())));
      return offered;
    }
  }

  private static List<Short> versionsOf(ApiKeys api) {
    return IntStream.rangeClosed(Apis.oldest(api.id), Apis.newest(api.id))
        .mapToObj(version -> (short) version)
        .toList();
  }

  /** A topic of one partition with two replicas: a leader, a follower and a stranger. */
  private TopicDescription led() throws Exception {
    var clients = new Clients(proxy.bootstrapServers("orders"));
    var name = "led-" + Uuid.randomUuid();
    try (var admin = clients.admin()) {
      done(
          admin
              .createTopics(
                  List.of(
                      new org.apache.kafka.clients.admin.NewTopic(name, Map.of(0, List.of(1, 2)))))
              .all());
      await("every broker knows it")
          .atMost(Clients.PATIENCE)
          .until(() -> isLedAt(1, name) && isLedAt(2, name) && isLedAt(3, name));
      return Objects.requireNonNull(
          done(admin.describeTopics(List.of(name)).allTopicNames()).get(name));
    }
  }

  private boolean isLedAt(int id, String topic) throws IOException {
    try (var client = new RawClient(node(id))) {
      var request = new MetadataRequestData().setAllowAutoTopicCreation(false);
      request.setTopics(List.of(new MetadataRequestData.MetadataRequestTopic().setName(topic)));
      var answer = (MetadataResponseData) client.ask(request, Apis.newest(ApiKeys.METADATA.id));
      var described = Objects.requireNonNull(answer.topics().find(topic));
      return described.errorCode() == 0
          && described.partitions().getFirst().leaderId() > 0
          && described.partitions().getFirst().isrNodes().size() == 2;
    }
  }

  private static int leader(TopicDescription topic) {
    return topic.partitions().getFirst().leader().id();
  }

  private static int follower(TopicDescription topic) {
    return 3 - leader(topic);
  }

  private static int stranger(TopicDescription topic) {
    return topic.partitions().getFirst().replicas().size() + 1;
  }

  private Endpoint node(int id) {
    var gateway = proxy.proxy().virtualCluster("orders").orElseThrow().spec().gateways().getFirst();
    return new Endpoint("127.0.0.1", gateway.nodeStartPort() + id - 1);
  }

  private List<Integer> nodePorts() {
    return List.of(node(1).port(), node(2).port(), node(3).port());
  }
}
