package dev.sluice.protocol;

import static dev.sluice.protocol.RequestPeek.Outcome.MALFORMED;
import static dev.sluice.protocol.RequestPeek.Outcome.MORE;
import static dev.sluice.protocol.RequestPeek.Outcome.PEEKED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData.AcknowledgementBatch;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchPartition;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.junit.jupiter.api.Test;

class FetchPeekTest {

  private static final long SEED = Long.getLong("seed", 20_261_129);
  private static final int TIMES = 200;

  private final FetchPeek peek = new FetchPeek();
  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void every_fetch_request_tells_its_wait_its_session_and_its_topics() {
    for (var version : ApiKeys.FETCH.allVersions()) {
      for (var i = 0; i < TIMES; i++) {
        var frame = request(ApiKeys.FETCH, version);
        var read = new FetchRequestData(body(ApiKeys.FETCH, version, frame), version);
        peekedInSteps(frame);
        assertThat(peek.maxWaitMillis()).isEqualTo(read.maxWaitMs());
        assertThat(peek.sessionId()).isEqualTo(read.sessionId());
        assertThat(peek.sessionEpoch()).isEqualTo(read.sessionEpoch());
        assertThat(peek.namesTopics()).isEqualTo(!read.topics().isEmpty());
        assertThat(peek.mayAcknowledge()).isFalse();
      }
    }
  }

  @Test
  void every_share_fetch_request_tells_its_wait_and_whether_it_acknowledges() {
    var answers = new boolean[2];
    for (var version : ApiKeys.SHARE_FETCH.allVersions()) {
      for (var i = 0; i < TIMES; i++) {
        var frame = request(ApiKeys.SHARE_FETCH, version);
        var read = new ShareFetchRequestData(body(ApiKeys.SHARE_FETCH, version, frame), version);
        peekedInSteps(frame);
        peek.peek(frame, 0, frame.writerIndex());
        assertThat(peek.maxWaitMillis()).isEqualTo(read.maxWaitMs());
        assertThat(peek.sessionId()).isZero();
        assertThat(peek.sessionEpoch()).isEqualTo(read.shareSessionEpoch());
        assertThat(peek.namesTopics()).isEqualTo(!read.topics().isEmpty());
        assertThat(peek.mayAcknowledge()).isEqualTo(acknowledges(read));
        answers[acknowledges(read) ? 1 : 0] = true;
      }
    }
    assertThat(answers).containsExactly(true, true);
  }

  @Test
  void a_share_fetch_request_that_is_not_all_there_may_acknowledge() {
    var body = new ShareFetchRequestData();
    for (var t = 1; t <= 2; t++) {
      var topic = new FetchTopic().setTopicId(new Uuid(t, t));
      topic.partitions().add(new FetchPartition().setPartitionIndex(1));
      topic.partitions().add(new FetchPartition().setPartitionIndex(2));
      body.topics().add(topic);
    }
    var frame = Wire.request(ApiKeys.SHARE_FETCH, (short) 2, "client", body);
    var forgottenAndTags = 2;
    for (var end = 4 + 8; end <= frame.writerIndex(); end++) {
      peek.peek(frame, 0, end);
      assertThat(peek.mayAcknowledge())
          .as("%s of %s bytes", end, frame.writerIndex())
          .isEqualTo(end < frame.writerIndex() - forgottenAndTags);
    }
  }

  @Test
  void one_acknowledgement_in_the_last_partition_is_found() {
    var last = new FetchPartition().setPartitionIndex(9);
    last.acknowledgementBatches().add(new AcknowledgementBatch());
    var topic = new FetchTopic().setTopicId(new Uuid(2, 2));
    topic.partitions().add(new FetchPartition().setPartitionIndex(1));
    topic.partitions().add(last);
    var body = new ShareFetchRequestData().setGroupId("g").setMemberId("m");
    body.topics().add(new FetchTopic().setTopicId(new Uuid(1, 1)));
    body.topics().add(topic);
    for (var version : ApiKeys.SHARE_FETCH.allVersions()) {
      var frame = Wire.request(ApiKeys.SHARE_FETCH, version, "client", body);
      peek.peek(frame, 0, frame.writerIndex());
      assertThat(peek.mayAcknowledge()).isTrue();
      last.acknowledgementBatches().clear();
      var none = Wire.request(ApiKeys.SHARE_FETCH, version, "client", body);
      peek.peek(none, 0, none.writerIndex());
      assertThat(peek.mayAcknowledge()).isFalse();
      last.acknowledgementBatches().add(new AcknowledgementBatch());
    }
  }

  @Test
  void topics_that_do_not_parse_may_acknowledge() {
    var body = new ShareFetchRequestData();
    body.topics().add(new FetchTopic().setTopicId(new Uuid(1, 1)));
    var frame = Wire.request(ApiKeys.SHARE_FETCH, (short) 2, "client", body);
    // topics, one of them; its id and its partitions; tags of the topic; forgotten topics; tags
    var topics = frame.writerIndex() - 2 - 1 - 1 - 16 - 1;
    assertThat(frame.getByte(topics)).isEqualTo((byte) 2);
    peek.peek(frame, 0, frame.writerIndex());
    assertThat(peek.mayAcknowledge()).isFalse();
    for (var wrong : new int[] {0, 99, 0xff}) {
      var changed = frame.copy().setByte(topics, wrong);
      assertThat(peek.peek(changed, 0, changed.writerIndex())).isEqualTo(PEEKED);
      assertThat(peek.mayAcknowledge()).isTrue();
    }
  }

  @Test
  void a_request_that_ends_before_its_topics_is_malformed() {
    for (var key : List.of(ApiKeys.FETCH, ApiKeys.SHARE_FETCH)) {
      for (var version : key.allVersions()) {
        var frame = Wire.request(key, version, "client", key.messageType.newRequest());
        var whole = frame.writerIndex();
        var shortest = lastNeed(frame);
        for (var end = 12; end < shortest; end++) {
          assertThat(peek.peek(frame.copy(0, end).setInt(0, end - 4), 0, end))
              .as("%s v%s cut at %s of %s", key, version, end, whole)
              .isEqualTo(MALFORMED);
        }
      }
    }
  }

  @Test
  void other_requests_are_not_looked_at() {
    var frame =
        Wire.request(ApiKeys.METADATA, (short) 1, "c", ApiKeys.METADATA.messageType.newRequest());
    assertThatThrownBy(() -> peek.peek(frame, 0, frame.writerIndex()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found Metadata");
  }

  @Test
  void fetches_joins_and_syncs_may_be_kept_by_the_broker() {
    var kept =
        Stream.of(ApiKeys.values())
            .filter(key -> Apis.longPoll(key.id))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(ApiKeys.class)));
    assertThat(kept)
        .isEqualTo(
            Set.of(ApiKeys.FETCH, ApiKeys.SHARE_FETCH, ApiKeys.JOIN_GROUP, ApiKeys.SYNC_GROUP));
  }

  /** As a connection does: it waits for as many bytes as it is told to. */
  private void peekedInSteps(ByteBuf frame) {
    assertThat(lastNeed(frame)).isLessThanOrEqualTo(frame.writerIndex());
  }

  private int lastNeed(ByteBuf frame) {
    var shifted = Unpooled.buffer().writeZero(5).writeBytes(frame, 0, frame.writerIndex());
    var there = 12;
    while (true) {
      var outcome = peek.peek(shifted, 5, 5 + there);
      if (outcome == PEEKED) {
        return there;
      }
      assertThat(outcome).isEqualTo(MORE);
      assertThat(peek.bytesNeeded()).isGreaterThan(there);
      there = peek.bytesNeeded();
    }
  }

  private ByteBuf request(ApiKeys key, short version) {
    var header = new RequestHeaderData().setClientId("é".repeat(random.nextInt(100)));
    if (key.requestHeaderVersion(version) >= 2 && random.nextBoolean()) {
      header.unknownTaggedFields().add(new RawTaggedField(3, new byte[random.nextInt(200)]));
    }
    var schema = key.messageType.requestSchemas()[version];
    return Structs.request(key, version, header, new Structs(random).struct(schema));
  }

  private static ByteBufferAccessor body(ApiKeys key, short version, ByteBuf frame) {
    var in = new ByteBufferAccessor(frame.nioBuffer(4, frame.writerIndex() - 4));
    assertThat(new RequestHeaderData(in, key.requestHeaderVersion(version)).requestApiKey())
        .isEqualTo(key.id);
    return in;
  }

  private static boolean acknowledges(ShareFetchRequestData request) {
    return request.topics().stream()
        .flatMap(topic -> topic.partitions().stream())
        .anyMatch(partition -> !partition.acknowledgementBatches().isEmpty());
  }
}
