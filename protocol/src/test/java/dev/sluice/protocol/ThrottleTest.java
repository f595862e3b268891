package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ThrottleTest {

  private static final long SEED = Long.getLong("seed", 20_261_129);
  private static final String FIELD = "throttle_time_ms";
  private static final int OURS = 100;

  private final ThrottleStamp stamp = new ThrottleStamp();

  private interface Case {
    void check(ApiKeys key, short version) throws MalformedFrameException;
  }

  @Test
  void a_throttle_is_carried_where_the_schema_has_the_field() throws MalformedFrameException {
    everyVersion(
        (key, version) ->
            assertThat(Throttle.carried(key.id, version))
                .as(key + " v" + version)
                .isEqualTo(Wire.responseSchema(key, version).get(FIELD) != null));
    assertThat(Throttle.carried(ApiKeys.METADATA.id, (short) 99)).isFalse();
    assertThat(Throttle.carried(ApiKeys.METADATA.id, (short) -1)).isFalse();
    assertThat(Throttle.carried((short) 4, (short) 0)).isFalse();
    assertThat(Throttle.carried((short) -1, (short) 0)).isFalse();
    assertThat(Throttle.carried((short) 999, (short) 0)).isFalse();
  }

  /**
   * Up to 4.3 a response was heeded only if its own class said from which version on; what only the
   * rule of 4.4 for all others says (KAFKA-20828) does not count, as older clients go on.
   */
  @Test
  void a_throttle_is_honoured_where_the_response_class_itself_says_so()
      throws MalformedFrameException {
    var honoured = new ArrayList<ApiKeys>();
    everyVersion(
        (key, version) -> {
          var response = empty(key, version);
          var wanted = saysSoItself(response) && response.shouldClientThrottle(version);
          assertThat(Throttle.honoured(key.id, version))
              .as(key + " v" + version)
              .isEqualTo(wanted && Throttle.carried(key.id, version));
          if (wanted) {
            honoured.add(key);
          }
        });
    assertThat(honoured)
        .contains(ApiKeys.PRODUCE, ApiKeys.FETCH, ApiKeys.OFFSET_DELETE)
        .doesNotContain(
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            ApiKeys.SHARE_GROUP_HEARTBEAT,
            ApiKeys.SHARE_FETCH,
            ApiKeys.SHARE_ACKNOWLEDGE,
            ApiKeys.OFFSET_FOR_LEADER_EPOCH);
  }

  @Test
  void the_versions_that_the_data_path_meets_most_are_honoured_from_where_they_should() {
    assertThat(
            Stream.of(
                    ApiKeys.PRODUCE,
                    ApiKeys.FETCH,
                    ApiKeys.METADATA,
                    ApiKeys.LIST_OFFSETS,
                    ApiKeys.FIND_COORDINATOR,
                    ApiKeys.JOIN_GROUP,
                    ApiKeys.SYNC_GROUP,
                    ApiKeys.HEARTBEAT,
                    ApiKeys.LEAVE_GROUP,
                    ApiKeys.OFFSET_COMMIT,
                    ApiKeys.OFFSET_FETCH,
                    ApiKeys.INIT_PRODUCER_ID,
                    ApiKeys.ADD_PARTITIONS_TO_TXN,
                    ApiKeys.ADD_OFFSETS_TO_TXN,
                    ApiKeys.END_TXN,
                    ApiKeys.TXN_OFFSET_COMMIT)
                .map(ThrottleTest::firstHonoured))
        .containsExactly(6, 8, 6, 3, 2, 3, 2, 2, 2, 4, 4, 1, 1, 1, 1, 1);
  }

  @Test
  void a_stamp_changes_the_throttle_and_nothing_else() throws MalformedFrameException {
    stampsEveryVersion(20);
  }

  @Test
  @Tag("acceptance")
  void many_responses_are_stamped() throws MalformedFrameException {
    stampsEveryVersion(1_000);
  }

  @Test
  void a_stamp_may_be_split_at_any_two_places() throws MalformedFrameException {
    var shortProduce = smallest(ApiKeys.PRODUCE, (short) 7);
    for (var theirs : new int[] {0, 99, 100, 101, 256, 65_536, Integer.MAX_VALUE, -1}) {
      splitsEverywhere(ApiKeys.PRODUCE, (short) 7, shortProduce, theirs);
      splitsEverywhere(ApiKeys.PRODUCE, (short) 13, smallest(ApiKeys.PRODUCE, (short) 13), theirs);
      splitsEverywhere(ApiKeys.FETCH, (short) 11, smallest(ApiKeys.FETCH, (short) 11), theirs);
    }
  }

  @Test
  void the_longer_of_two_pauses_stays() throws MalformedFrameException {
    for (var theirs : new int[] {0, 1, 99, 100, 101, 255, 256, 0x1_0000, 0x100_0000, -1, -101}) {
      for (var ours : new int[] {0, 1, 100, 255, 256, 0x1_0000, 0x101_0000, Integer.MAX_VALUE}) {
        var frame = frame(ApiKeys.FETCH, (short) 12, theirs);
        stamp.begin(ApiKeys.FETCH.id, (short) 12, frame.readableBytes() - 4, ours);
        stamp.feed(frame, 4, frame.writerIndex());
        assertThat(throttle(ApiKeys.FETCH, (short) 12, frame)).isEqualTo(Math.max(theirs, ours));
        assertThat(stamp.throttleMillis()).isEqualTo(Math.max(theirs, ours));
      }
    }
  }

  @Test
  void a_response_cut_short_before_the_end_of_the_throttle_is_malformed() {
    for (var version : new short[] {3, 8, 9, 13}) {
      var frame = smallest(ApiKeys.PRODUCE, version);
      var from = throttleIndex(ApiKeys.PRODUCE, version, frame);
      for (var end = 5; end < from + 4; end++) {
        var cut = frame.copy(0, end);
        stamp.begin(ApiKeys.PRODUCE.id, version, end - 4, OURS);
        assertThatThrownBy(() -> stamp.feed(cut, 4, cut.writerIndex()))
            .isInstanceOf(MalformedFrameException.class)
            .hasMessageContaining("Produce version " + version);
      }
    }
  }

  @Test
  void any_changed_byte_is_stamped_or_malformed_and_never_leads_astray() {
    for (var version = (short) 3; version <= Apis.newest(ApiKeys.PRODUCE.id); version++) {
      var original = smallest(ApiKeys.PRODUCE, version);
      for (var i = 4; i < original.writerIndex(); i++) {
        for (var value : new int[] {0, 1, 2, 0x7f, 0x80, 0xfe, 0xff}) {
          attempt(version, original.copy().setByte(i, value));
        }
      }
    }
  }

  @Test
  void only_what_carries_a_throttle_can_be_begun() {
    assertThatThrownBy(() -> stamp.begin(ApiKeys.METADATA.id, (short) 2, 10, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Metadata version 2");
    assertThatThrownBy(() -> stamp.begin(ApiKeys.METADATA.id, (short) 12, 10, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> stamp.feed(Unpooled.buffer().writeLong(0), 0, 8))
        .isInstanceOf(IllegalStateException.class);
    stamp.begin(ApiKeys.METADATA.id, (short) 12, 10, 1);
    assertThatThrownBy(() -> stamp.feed(Unpooled.buffer().writeZero(11), 0, 11))
        .isInstanceOf(IllegalStateException.class);
  }

  private void stampsEveryVersion(int times) throws MalformedFrameException {
    var random = new SplittableRandom(SEED);
    everyVersion(
        (key, version) -> {
          if (Throttle.carried(key.id, version)) {
            for (var i = 0; i < times; i++) {
              stampsOnlyTheThrottle(random, key, version);
            }
          }
        });
  }

  private void stampsOnlyTheThrottle(RandomGenerator random, ApiKeys key, short version)
      throws MalformedFrameException {
    var schema = Wire.responseSchema(key, version);
    var theirs = random.nextInt(2 * OURS);
    var given = new Structs(random).struct(schema).set(FIELD, theirs);
    var tags = random.nextBoolean();
    var frame = Structs.response(key, version, tags, given);
    var wanted = Structs.response(key, version, tags, given.set(FIELD, Math.max(theirs, OURS)));
    var ends = new ArrayList<>(List.of(4));
    while (ends.getLast() < frame.writerIndex()) {
      var most = random.nextInt(3) == 0 ? 3 : frame.writerIndex();
      ends.add(Math.min(frame.writerIndex(), ends.getLast() + 1 + random.nextInt(most)));
    }
    var out = stamped(key, version, frame, ends.stream().mapToInt(Integer::intValue).toArray());
    assertThat(out).as("%s v%s, -Dseed=%s", key, version, SEED).isEqualTo(wanted);
  }

  private void splitsEverywhere(ApiKeys key, short version, ByteBuf frame, int theirs)
      throws MalformedFrameException {
    var at = throttleIndex(key, version, frame);
    var given = frame.copy().setInt(at, theirs);
    var wanted = frame.copy().setInt(at, Math.max(theirs, OURS));
    var end = given.writerIndex();
    for (var first = 4; first <= end; first++) {
      for (var second = first; second <= end; second++) {
        assertThat(stamped(key, version, given, new int[] {4, first, second, end}))
            .isEqualTo(wanted);
      }
    }
  }

  /** Each piece comes in its own buffer, and is not looked at once the stamp is there. */
  private ByteBuf stamped(ApiKeys key, short version, ByteBuf frame, int[] ends)
      throws MalformedFrameException {
    var out = Unpooled.buffer().writeBytes(frame, 0, 4);
    stamp.begin(key.id, version, frame.writerIndex() - 4, OURS);
    for (var i = 1; i < ends.length; i++) {
      var piece =
          Unpooled.buffer().writeZero(3).writeBytes(frame, ends[i - 1], ends[i] - ends[i - 1]);
      if (!stamp.stamped()) {
        stamp.feed(piece, 3, piece.writerIndex());
      }
      out.writeBytes(piece, 3, piece.writerIndex() - 3);
    }
    assertThat(stamp.stamped()).isTrue();
    return out;
  }

  private void attempt(short version, ByteBuf frame) {
    var before = frame.copy();
    stamp.begin(ApiKeys.PRODUCE.id, version, frame.writerIndex() - 4, OURS);
    try {
      stamp.feed(frame, 4, frame.writerIndex());
    } catch (MalformedFrameException e) {
      assertThat(e).hasMessageStartingWith("expected a response to Produce");
      assertThat(frame).isEqualTo(before);
      return;
    }
    assertThat(stamp.stamped()).isTrue();
    assertThat(stamp.throttleMillis()).isGreaterThanOrEqualTo(OURS);
  }

  private static ByteBuf smallest(ApiKeys key, short version) {
    var random = new SplittableRandom(SEED);
    while (true) {
      var body = new Structs(random).struct(Wire.responseSchema(key, version)).set(FIELD, 0);
      var frame = Structs.response(key, version, false, body);
      if (frame.readableBytes() > 60 && frame.readableBytes() < 110) {
        return frame;
      }
    }
  }

  /** Found by what changes in the bytes when the field does. */
  private static int throttleIndex(ApiKeys key, short version, ByteBuf frame) {
    var schema = Wire.responseSchema(key, version);
    var head = 8 + (key.responseHeaderVersion(version) >= 1 ? 1 : 0);
    var body = schema.read(frame.nioBuffer(head, frame.writerIndex() - head));
    var other = Structs.response(key, version, false, body.set(FIELD, -1));
    for (var i = head; i < frame.writerIndex(); i++) {
      if (frame.getByte(i) != other.getByte(i)) {
        return i;
      }
    }
    throw new AssertionError("no byte differs");
  }

  private static ByteBuf frame(ApiKeys key, short version, int throttle) {
    var response = empty(key, version);
    response.maybeSetThrottleTimeMs(throttle);
    return Wire.response(key, version, response.data());
  }

  private static int throttle(ApiKeys key, short version, ByteBuf frame) {
    var body = MessageUtil.toByteBufferAccessor(Wire.parse(key, version, frame), version);
    return AbstractResponse.parseResponse(key, body, version).throttleTimeMs();
  }

  private static AbstractResponse empty(ApiKeys key, short version) {
    var message = ApiMessageType.fromApiKey(key.id).newResponse();
    return AbstractResponse.parseResponse(
        key, MessageUtil.toByteBufferAccessor(message, version), version);
  }

  private static boolean saysSoItself(AbstractResponse response) {
    return Stream.of(response.getClass().getDeclaredMethods())
        .anyMatch(method -> method.getName().equals("shouldClientThrottle"));
  }

  private static int firstHonoured(ApiKeys key) {
    var version = Apis.oldest(key.id);
    while (!Throttle.honoured(key.id, version)) {
      version++;
    }
    return version;
  }

  private static void everyVersion(Case check) throws MalformedFrameException {
    for (var key : ApiKeys.values()) {
      for (var version = Apis.oldest(key.id);
          version >= 0 && version <= Apis.newest(key.id);
          version++) {
        check.check(key, version);
      }
    }
  }
}
