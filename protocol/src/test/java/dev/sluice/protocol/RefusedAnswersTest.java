package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.types.Struct;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefusedAnswersTest {

  private static final long SEED = Long.getLong("seed", 20_261_129);
  private static final int THROTTLE = 100;
  private static final int TIMES = 10;
  private static final List<ListedRefusal> LISTED = ListedRefusal.all();

  /** What the request classes insist on. */
  private static final Map<String, Optional<Object>> SENSIBLE =
      Map.ofEntries(
          Map.entry("records", Optional.of(MemoryRecords.EMPTY)),
          Map.entry("resource_type", Optional.of((byte) 2)),
          Map.entry("resource_type_filter", Optional.of((byte) 2)),
          Map.entry("resource_pattern_type", Optional.of((byte) 3)),
          Map.entry("pattern_type_filter", Optional.of((byte) 3)),
          Map.entry("operation", Optional.of((byte) 3)),
          Map.entry("permission_type", Optional.of((byte) 3)));

  private static final List<String> ACKNOWLEDGEMENTS =
      List.of("topics", "partitions", "acknowledgement_batches");

  private final CountedBuffers buffers = new CountedBuffers();
  private final SplittableRandom random = new SplittableRandom(SEED);

  private interface Case {
    void check(ListedRefusal listed, short version);
  }

  @AfterEach
  void every_buffer_is_given_back() {
    buffers.allAreBack();
  }

  @Test
  void every_error_is_in_its_places_and_nowhere_else() {
    everyCase(
        (listed, version) -> {
          if (listed.answersWithAnError()) {
            for (var i = 0; i < TIMES; i++) {
              answersWithTheError(listed, version);
            }
          }
        });
  }

  @Test
  void a_fetch_is_answered_with_nothing_but_its_session() {
    for (var version : ApiKeys.FETCH.allVersions()) {
      var request = request(line(ApiKeys.FETCH, version, RequestTrait.PLAIN), version);
      var answer = answer(ApiKeys.FETCH, version, frame(ApiKeys.FETCH, version, request));
      assertThat(answer.getInt("throttle_time_ms")).isEqualTo(THROTTLE);
      assertThat(answer.getArray("responses")).isEmpty();
      if (version >= 7) {
        assertThat(answer.getShort("error_code")).isZero();
        assertThat(answer.getInt("session_id")).isEqualTo(request.getInt("session_id"));
      }
    }
  }

  @Test
  void a_share_fetch_without_acknowledgements_is_answered_with_nothing() {
    for (var version : ApiKeys.SHARE_FETCH.allVersions()) {
      var request = request(line(ApiKeys.SHARE_FETCH, version, RequestTrait.PLAIN), version);
      var answer =
          answer(ApiKeys.SHARE_FETCH, version, frame(ApiKeys.SHARE_FETCH, version, request));
      assertThat(answer.getShort("error_code")).isZero();
      assertThat(answer.getInt("throttle_time_ms")).isEqualTo(THROTTLE);
      assertThat(answer.getArray("responses")).isEmpty();
    }
  }

  @Test
  void what_must_be_closed_has_no_answer() {
    var closed = new ArrayList<ApiKeys>();
    everyCase(
        (listed, version) -> {
          if (listed.what().equals("forward, else close")) {
            closed.add(listed.key());
            for (var i = 0; i < TIMES; i++) {
              var frame = frame(listed.key(), version, request(listed, version));
              assertThat(Refusals.answer(frame, THROTTLE, buffers.allocator)).isNull();
            }
          }
        });
    assertThat(closed).contains(ApiKeys.PRODUCE, ApiKeys.SHARE_FETCH, ApiKeys.HEARTBEAT);
  }

  @Test
  void a_refused_producer_is_told_of_no_leader() {
    for (var version : ApiKeys.PRODUCE.allVersions()) {
      var line = line(ApiKeys.PRODUCE, version, RequestTrait.PLAIN);
      var frame = frame(ApiKeys.PRODUCE, version, request(line, version));
      var out = answered(frame);
      var answer = (ProduceResponseData) Wire.parse(ApiKeys.PRODUCE, version, out);
      out.release();
      assertThat(answer.nodeEndpoints()).isEmpty();
      for (var topic : answer.responses()) {
        for (var partition : topic.partitionResponses()) {
          assertThat(partition.currentLeader().leaderId()).isEqualTo(-1);
          assertThat(partition.currentLeader().leaderEpoch()).isEqualTo(-1);
          assertThat(partition.baseOffset()).isEqualTo(-1);
        }
      }
    }
  }

  @Test
  void what_does_not_parse_has_no_answer() {
    everyCase(
        (listed, version) -> {
          var whole = frame(listed.key(), version, request(listed, version));
          for (var i = 0; i < TIMES; i++) {
            var end = random.nextInt(whole.writerIndex());
            var cut = whole.copy(0, end);
            assertThat(Refusals.answer(cut, THROTTLE, buffers.allocator)).isNull();
            var told = end < 4 ? cut : cut.setInt(0, end - 4);
            assertThat(Refusals.answer(told, THROTTLE, buffers.allocator))
                .as("%s v%s cut at %s", listed.key(), version, end)
                .isNull();
          }
          var more = whole.copy().writeByte(0).setInt(0, whole.writerIndex() - 3);
          assertThat(Refusals.answer(more, THROTTLE, buffers.allocator)).isNull();
        });
    var unknown = Unpooled.buffer().writeInt(8).writeShort(4).writeShort(0).writeInt(1);
    assertThat(Refusals.answer(unknown, THROTTLE, buffers.allocator)).isNull();
  }

  @Test
  void the_request_stays_as_it_was() {
    var line = line(ApiKeys.PRODUCE, (short) 11, RequestTrait.PLAIN);
    var frame = frame(ApiKeys.PRODUCE, (short) 11, request(line, (short) 11));
    var shifted = Unpooled.buffer().writeZero(3).writeBytes(frame.duplicate()).skipBytes(3);
    var answer = answered(shifted);
    assertThat(shifted.readerIndex()).isEqualTo(3);
    assertThat(shifted.refCnt()).isEqualTo(1);
    assertThat(shifted).isEqualTo(frame);
    answer.release();
  }

  private void answersWithTheError(ListedRefusal listed, short version) {
    var key = listed.key();
    var request = request(listed, version);
    var answer = answer(key, version, frame(key, version, request));
    var codes = new ArrayList<Short>();
    collect(answer, codes);
    assertThat(codes)
        .as("%s v%s %s: %s to %s, -Dseed=%s", key, version, listed.trait(), answer, request, SEED)
        .filteredOn(code -> code != 0)
        .hasSize(listed.places(request))
        .containsOnly(listed.places(request) == 0 ? new Short[0] : new Short[] {listed.code()});
    if (Throttle.carried(key.id, version)) {
      assertThat(answer.getInt("throttle_time_ms")).isEqualTo(THROTTLE);
    }
  }

  /** Parses with Kafka's own classes, and once more by the schema, to find every error code. */
  private Struct answer(ApiKeys key, short version, ByteBuf request) {
    var out = answered(request);
    Wire.parse(key, version, out);
    var head = 8 + (key.responseHeaderVersion(version) >= 1 ? 1 : 0);
    var body = Unpooled.copiedBuffer(out).skipBytes(head);
    out.release();
    return Wire.responseSchema(key, version).read(body.nioBuffer());
  }

  private ByteBuf answered(ByteBuf request) {
    var answer = Refusals.answer(request, THROTTLE, buffers.allocator);
    if (answer == null) {
      throw new AssertionError("expected an answer, found none");
    }
    return answer;
  }

  private static void collect(Struct struct, List<Short> codes) {
    for (var field : struct.schema().fields()) {
      if (field.def.type instanceof TaggedFields) {
        continue;
      }
      var value = struct.get(field);
      if (field.def.name.endsWith("error_code")) {
        codes.add((Short) value);
      } else if (value instanceof Struct inner) {
        collect(inner, codes);
      } else if (value instanceof Object[] items) {
        for (var item : items) {
          if (item instanceof Struct inner) {
            collect(inner, codes);
          }
        }
      }
    }
  }

  private Struct request(ListedRefusal listed, short version) {
    var given = new HashMap<>(SENSIBLE);
    var trait = listed.trait();
    given.put("acks", Optional.of((short) (trait == RequestTrait.UNANSWERED ? 0 : -1)));
    if (listed.key() == ApiKeys.INIT_PRODUCER_ID) {
      given.put(
          "transactional_id",
          trait == RequestTrait.TRANSACTIONAL ? Optional.of("tx") : Optional.empty());
    }
    if (trait != RequestTrait.ACKNOWLEDGING) {
      given.put("acknowledgement_batches", Optional.of(new Object[0]));
      return struct(listed.key(), version, given);
    }
    for (var attempt = 0; attempt < 1_000; attempt++) {
      var request = struct(listed.key(), version, given);
      if (ListedRefusal.count(request, ACKNOWLEDGEMENTS) > 0) {
        return request;
      }
    }
    throw new AssertionError("expected a request that acknowledges, found none in 1000");
  }

  private Struct struct(ApiKeys key, short version, Map<String, Optional<Object>> given) {
    return new Structs(random, given).struct(key.messageType.requestSchemas()[version]);
  }

  private static ByteBuf frame(ApiKeys key, short version, Struct request) {
    return Structs.request(key, version, new RequestHeaderData().setClientId("client"), request);
  }

  private static ListedRefusal line(ApiKeys key, short version, RequestTrait trait) {
    return LISTED.stream()
        .filter(line -> line.covers(key, version) && line.trait() == trait)
        .findFirst()
        .orElseThrow();
  }

  private static void everyCase(Case check) {
    var keys = Set.copyOf(LISTED.stream().map(ListedRefusal::key).toList());
    assertThat(keys).hasSizeGreaterThan(70);
    for (var line : LISTED) {
      for (var version = line.oldest(); version <= line.newest(); version++) {
        check.check(line, version);
      }
    }
  }
}
