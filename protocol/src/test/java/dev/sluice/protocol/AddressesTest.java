package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AddressesTest {

  private static final int OUTSIDE = 99;

  private final CountedBuffers buffers = new CountedBuffers();
  private final List<String> seen = new ArrayList<>();
  private final Addresses addresses = new Addresses(AddressesTest::advertised, this::seen);

  @AfterEach
  void every_buffer_is_given_back() {
    buffers.allAreBack();
  }

  @Test
  void metadata_names_the_gateway_and_all_else_stays() throws MalformedFrameException {
    for (var version : versions(ApiKeys.METADATA)) {
      var given = metadata(version, 0, 1, 2);
      var wanted = given.duplicate();
      wanted
          .brokers()
          .forEach(
              broker -> broker.setHost("here" + broker.nodeId()).setPort(9000 + broker.nodeId()));
      assertThat(rewritten(ApiKeys.METADATA, version, given)).as("v%s", version).isEqualTo(wanted);
    }
    assertThat(seen).contains("0 there0:7000 rack0", "1 there1:7001 null", "2 there2:7002 rack2");
  }

  @Test
  void a_broker_without_an_address_is_left_out_of_metadata_and_its_partitions_keep_its_id()
      throws MalformedFrameException {
    for (var version : versions(ApiKeys.METADATA)) {
      var answer =
          (MetadataResponseData)
              rewritten(ApiKeys.METADATA, version, metadata(version, OUTSIDE, 1));
      assertThat(answer.brokers().valuesList())
          .extracting(MetadataResponseBroker::host)
          .containsExactly("here1");
      var partition = answer.topics().valuesList().getFirst().partitions().getFirst();
      assertThat(partition.leaderId()).isEqualTo(OUTSIDE);
      assertThat(partition.errorCode()).isZero();
    }
    assertThat(seen).contains("99 there99:7099 null");
  }

  @Test
  void empty_metadata_stays() throws MalformedFrameException {
    for (var version : versions(ApiKeys.METADATA)) {
      var given = new MetadataResponseData().setErrorCode((short) (version >= 13 ? 129 : 0));
      assertThat(rewritten(ApiKeys.METADATA, version, given)).isEqualTo(given);
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void unknown_tagged_fields_stay() throws MalformedFrameException {
    var given = metadata((short) 12, 1);
    given.unknownTaggedFields().add(new RawTaggedField(77, new byte[] {1, 2, 3}));
    var answer = rewritten(ApiKeys.METADATA, (short) 12, given);
    assertThat(answer.unknownTaggedFields()).isEqualTo(given.unknownTaggedFields());
  }

  @Test
  void a_coordinator_is_found_at_the_gateway() throws MalformedFrameException {
    for (var version : versions(ApiKeys.FIND_COORDINATOR)) {
      var answer = coordinators(version, coordinator(1), coordinator(2));
      assertThat(rewritten(ApiKeys.FIND_COORDINATOR, version, answer))
          .isEqualTo(coordinators(version, here(coordinator(1)), here(coordinator(2))));
    }
    assertThat(seen).contains("1 there1:7001 null");
  }

  @Test
  void a_coordinator_without_an_address_is_not_available_and_others_are()
      throws MalformedFrameException {
    for (var version : versions(ApiKeys.FIND_COORDINATOR)) {
      var found =
          rewritten(
              ApiKeys.FIND_COORDINATOR,
              version,
              coordinators(version, coordinator(OUTSIDE), coordinator(2)));
      var gone =
          new Coordinator()
              .setKey("group99")
              .setErrorCode((short) 15)
              .setErrorMessage(
                  version == 0 ? "" : "The coordinator, broker 99, has no address at this gateway.")
              .setNodeId(-1)
              .setPort(-1);
      assertThat(found).isEqualTo(coordinators(version, gone, here(coordinator(2))));
    }
  }

  @Test
  void a_coordinator_that_was_not_found_stays() throws MalformedFrameException {
    for (var version : versions(ApiKeys.FIND_COORDINATOR)) {
      var error =
          new Coordinator()
              .setKey("x")
              .setErrorCode((short) 15)
              .setErrorMessage(version == 0 ? "" : null)
              .setNodeId(-1)
              .setPort(-1);
      var given = coordinators(version, error);
      assertThat(rewritten(ApiKeys.FIND_COORDINATOR, version, given)).isEqualTo(given);
    }
    assertThat(seen).isEmpty();
  }

  @Test
  void a_described_cluster_names_the_gateway() throws MalformedFrameException {
    for (var version : versions(ApiKeys.DESCRIBE_CLUSTER)) {
      var given = cluster(version, 1, 2, OUTSIDE);
      var wanted = given.duplicate();
      wanted.brokers().removeIf(broker -> broker.brokerId() == OUTSIDE);
      wanted
          .brokers()
          .forEach(
              broker ->
                  broker.setHost("here" + broker.brokerId()).setPort(9000 + broker.brokerId()));
      assertThat(rewritten(ApiKeys.DESCRIBE_CLUSTER, version, given)).isEqualTo(wanted);
    }
    assertThat(seen).contains("1 there1:7001 null", "2 there2:7002 rack2", "99 there99:7099 null");
  }

  @Test
  void controllers_are_neither_shown_nor_taken_for_brokers() throws MalformedFrameException {
    var given = cluster((short) 2, 1, 2).setEndpointType((byte) 2);
    var answer =
        (DescribeClusterResponseData) rewritten(ApiKeys.DESCRIBE_CLUSTER, (short) 2, given);
    assertThat(answer.brokers()).isEmpty();
    assertThat(answer.controllerId()).isEqualTo(2);
    assertThat(seen).isEmpty();
  }

  @Test
  void an_api_without_brokers_is_a_mistake_of_the_caller() {
    assertThatThrownBy(
            () ->
                addresses.rewrite(
                    (short) 0, (short) 9, buffers.allocator.heapBuffer(0), buffers.allocator))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void any_changed_or_missing_byte_is_rewritten_or_malformed() {
    for (var version : versions(ApiKeys.METADATA)) {
      survives(ApiKeys.METADATA, version, metadata(version, 0, 1));
    }
    for (var version : versions(ApiKeys.FIND_COORDINATOR)) {
      survives(
          ApiKeys.FIND_COORDINATOR, version, coordinators(version, coordinator(1), coordinator(2)));
    }
    for (var version : versions(ApiKeys.DESCRIBE_CLUSTER)) {
      survives(ApiKeys.DESCRIBE_CLUSTER, version, cluster(version, 1, 2));
    }
  }

  @Test
  void bytes_behind_the_end_are_malformed() {
    var body =
        Wire.responseBody(ApiKeys.METADATA, (short) 12, metadata((short) 12, 1)).writeByte(0);
    assertThatThrownBy(
            () -> addresses.rewrite(ApiKeys.METADATA.id, (short) 12, body, buffers.allocator))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("Metadata version 12, found 1 bytes behind its end");
  }

  @Test
  void strings_that_grow_beyond_their_length_are_malformed() {
    var given = metadata((short) 1, 1);
    given.topics().valuesList().getFirst().setName("x".repeat(32_000));
    var body = Wire.responseBody(ApiKeys.METADATA, (short) 1, given);
    for (var i = body.readerIndex(); i < body.writerIndex(); i++) {
      if (body.getByte(i) == 'x') {
        body.setByte(i, 0xff);
      }
    }
    assertThatThrownBy(
            () -> addresses.rewrite(ApiKeys.METADATA.id, (short) 1, body, buffers.allocator))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("what cannot be written again");
  }

  private void survives(ApiKeys key, short version, ApiMessage message) {
    var original = Wire.responseBody(key, version, message);
    for (var i = original.readerIndex(); i < original.writerIndex(); i++) {
      for (var value :
          new int[] {0, 1, 2, 0x7f, 0x80, 0xff, original.getByte(i) ^ 1, original.getByte(i) + 1}) {
        attempt(key, version, original.copy().setByte(i - original.readerIndex(), value));
      }
      attempt(key, version, original.slice(original.readerIndex(), i - original.readerIndex()));
    }
  }

  private void attempt(ApiKeys key, short version, ByteBuf body) {
    try {
      addresses.rewrite(key.id, version, body, buffers.allocator).release();
    } catch (MalformedFrameException e) {
      assertThat(e).hasMessageStartingWith("expected a response to " + Apis.name(key.id));
    }
  }

  private ApiMessage rewritten(ApiKeys key, short version, ApiMessage given)
      throws MalformedFrameException {
    var body = Wire.responseBody(key, version, given);
    var size = body.readableBytes();
    var frame = addresses.rewrite(key.id, version, body, buffers.allocator);
    try {
      assertThat(body.readableBytes()).isEqualTo(size);
      return Wire.parse(key, version, frame);
    } finally {
      frame.release();
    }
  }

  private static List<Short> versions(ApiKeys key) {
    return key.allVersions().stream().filter(version -> Apis.known(key.id, version)).toList();
  }

  private static @Nullable Endpoint advertised(int nodeId) {
    return nodeId < 0 || nodeId >= OUTSIDE ? null : new Endpoint("here" + nodeId, 9000 + nodeId);
  }

  private void seen(int nodeId, String host, int port, @Nullable String rack) {
    seen.add(nodeId + " " + host + ":" + port + " " + rack);
  }

  private static @Nullable String rack(int id) {
    return id % 2 == 0 ? "rack" + id : null;
  }

  private static MetadataResponseData metadata(short version, int... ids) {
    var message = new MetadataResponseData().setThrottleTimeMs(version >= 3 ? 17 : 0);
    if (version >= 1) {
      message.setControllerId(ids[0]);
    }
    if (version >= 2) {
      message.setClusterId("cluster");
    }
    for (var id : ids) {
      message
          .brokers()
          .add(
              new MetadataResponseBroker()
                  .setNodeId(id)
                  .setHost("there" + id)
                  .setPort(7000 + id)
                  .setRack(version == 0 ? null : rack(id)));
    }
    var partition =
        new MetadataResponsePartition()
            .setPartitionIndex(3)
            .setLeaderId(ids[0])
            .setReplicaNodes(List.of(ids[0], 7))
            .setIsrNodes(List.of(ids[0]));
    message
        .topics()
        .add(new MetadataResponseTopic().setName("t").setPartitions(List.of(partition)));
    message.topics().add(new MetadataResponseTopic().setName("gone").setErrorCode((short) 3));
    return message;
  }

  private static Coordinator coordinator(int id) {
    return new Coordinator()
        .setKey("group" + id)
        .setNodeId(id)
        .setHost("there" + id)
        .setPort(7000 + id);
  }

  private static Coordinator here(Coordinator coordinator) {
    return coordinator.setHost("here" + coordinator.nodeId()).setPort(9000 + coordinator.nodeId());
  }

  /** Before version 4 a response has room for the first only. */
  private static FindCoordinatorResponseData coordinators(short version, Coordinator... all) {
    if (version >= 4) {
      return new FindCoordinatorResponseData().setThrottleTimeMs(5).setCoordinators(List.of(all));
    }
    return new FindCoordinatorResponseData()
        .setThrottleTimeMs(version >= 1 ? 5 : 0)
        .setErrorCode(all[0].errorCode())
        .setErrorMessage(all[0].errorMessage())
        .setNodeId(all[0].nodeId())
        .setHost(all[0].host())
        .setPort(all[0].port());
  }

  private static DescribeClusterResponseData cluster(short version, int... ids) {
    var message =
        new DescribeClusterResponseData()
            .setClusterId("cluster")
            .setControllerId(2)
            .setThrottleTimeMs(4);
    for (var id : ids) {
      message
          .brokers()
          .add(
              new DescribeClusterBroker()
                  .setBrokerId(id)
                  .setHost("there" + id)
                  .setPort(7000 + id)
                  .setRack(rack(id))
                  .setIsFenced(version >= 2 && id == 2));
    }
    return message;
  }
}
