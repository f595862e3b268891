package dev.sluice.protocol;

import static dev.sluice.protocol.RequestPeek.Outcome.MALFORMED;
import static dev.sluice.protocol.RequestPeek.Outcome.MORE;
import static dev.sluice.protocol.RequestPeek.Outcome.PEEKED;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.junit.jupiter.api.Test;

class RequestPeekTest {

  private static final int MAX_FRAME_BYTES = 1 << 20;
  private static final List<String> IDS =
      Arrays.asList(null, "", "a", "x".repeat(300), "é".repeat(16_000));

  private final RequestPeek peek = new RequestPeek(MAX_FRAME_BYTES);

  @Test
  void every_request_of_every_version_is_peeked_wherever_it_is_split() {
    var seen = 0;
    for (var key : ApiKeys.values()) {
      for (var version = Apis.oldest(key.id);
          version <= Apis.newest(key.id) && version >= 0;
          version++) {
        for (var clientId : IDS.subList(0, 4)) {
          var frame = Wire.request(key, version, clientId, key.messageType.newRequest());
          thePeekTells(frame, key, version, 0);
          seen++;
        }
      }
    }
    assertThat(seen).isGreaterThan(4 * 200);
  }

  @Test
  void the_acks_of_produce_are_found_behind_ids_and_tags() {
    for (var version = Apis.oldest(ApiKeys.PRODUCE.id);
        version <= Apis.newest(ApiKeys.PRODUCE.id);
        version++) {
      for (var clientId : IDS) {
        for (var transactionalId : IDS) {
          for (var acks : new short[] {0, 1, -1}) {
            var header = new RequestHeaderData().setClientId(clientId);
            if (Apis.requestHeaderVersion(ApiKeys.PRODUCE.id, version) >= 2) {
              header.unknownTaggedFields().add(new RawTaggedField(3, new byte[200]));
              header.unknownTaggedFields().add(new RawTaggedField(70_000, new byte[0]));
            }
            var body = new ProduceRequestData().setTransactionalId(transactionalId).setAcks(acks);
            thePeekTells(
                Wire.request(ApiKeys.PRODUCE, version, header, body),
                ApiKeys.PRODUCE,
                version,
                acks);
          }
        }
      }
    }
  }

  @Test
  void a_produce_request_tells_whether_it_belongs_to_a_transaction() {
    for (var version : new short[] {3, 8, 9, 13}) {
      var body = new ProduceRequestData().setAcks((short) -1);
      peek(Wire.request(ApiKeys.PRODUCE, version, "a", body));
      assertThat(peek.transactional()).isFalse();
      peek(Wire.request(ApiKeys.PRODUCE, version, "a", body.setTransactionalId("")));
      assertThat(peek.transactional()).isTrue();
    }
    peek(Wire.request(ApiKeys.METADATA, (short) 9, "a", new MetadataRequestData()));
    assertThat(peek.transactional()).isFalse();
  }

  @Test
  void only_acks_zero_goes_unanswered() {
    for (var acks : new short[] {0, 1, -1}) {
      peek(Wire.request(ApiKeys.PRODUCE, (short) 11, "a", new ProduceRequestData().setAcks(acks)));
      assertThat(peek.answered()).isEqualTo(acks != 0);
    }
    peek(
        Wire.request(ApiKeys.METADATA, (short) 12, "a", ApiKeys.METADATA.messageType.newRequest()));
    assertThat(peek.answered()).isTrue();
  }

  @Test
  void an_api_versions_request_of_an_unknown_version_is_peeked() {
    var frame =
        Unpooled.buffer().writeInt(10).writeShort(18).writeShort(77).writeInt(5).writeShort(-1);
    assertThat(peek(frame)).isEqualTo(PEEKED);
    assertThat(peek.apiVersion()).isEqualTo((short) 77);
    assertThat(peek.correlationId()).isEqualTo(5);
    assertThat(Apis.known(peek.apiKey(), peek.apiVersion())).isFalse();
  }

  @Test
  void lengths_keys_and_versions_out_of_range_are_malformed() {
    assertThat(peek(Unpooled.buffer().writeInt(-1))).isEqualTo(MALFORMED);
    assertThat(peek(Unpooled.buffer().writeInt(0))).isEqualTo(MALFORMED);
    assertThat(peek(Unpooled.buffer().writeInt(7))).isEqualTo(MALFORMED);
    assertThat(peek(Unpooled.buffer().writeInt(MAX_FRAME_BYTES + 1))).isEqualTo(MALFORMED);
    assertThat(peek(head(4, 0))).isEqualTo(MALFORMED);
    assertThat(peek(head(-1, 0))).isEqualTo(MALFORMED);
    assertThat(peek(head(3, 99))).isEqualTo(MALFORMED);
    assertThat(peek(head(18, -1))).isEqualTo(MALFORMED);
  }

  @Test
  void ids_and_tags_beyond_their_bounds_are_malformed() {
    var longId =
        head(0, 13)
            .writeShort(-1)
            .writeByte(0)
            .writeBytes(new byte[] {(byte) 0xff, (byte) 0xff, 0x7f});
    assertThat(peek(longId)).isEqualTo(MALFORMED);
    var longTag =
        head(0, 13).writeShort(-1).writeBytes(new byte[] {1, 0, (byte) 0xff, (byte) 0xff, 0x7f});
    assertThat(peek(longTag)).isEqualTo(MALFORMED);
    var manyTags =
        head(0, 13).writeShort(-1).writeBytes(new byte[] {-1, -1, -1, -1, 0x0f}).writeZero(40_000);
    assertThat(peek(manyTags)).isEqualTo(MALFORMED);
    var endlessVarint = head(0, 13).writeShort(-1).writeBytes(new byte[] {-1, -1, -1, -1, -1, -1});
    assertThat(peek(endlessVarint)).isEqualTo(MALFORMED);
    assertThat(peek(head(0, 3).writeShort(-2).writeZero(9))).isEqualTo(MALFORMED);
  }

  @Test
  void a_head_that_does_not_fit_into_its_frame_is_malformed() {
    var frame =
        Wire.request(
            ApiKeys.PRODUCE,
            (short) 3,
            "client",
            new ProduceRequestData().setTransactionalId("id"));
    for (var bytes = 8; bytes < 20; bytes++) {
      frame.setInt(0, bytes);
      assertThat(peek(frame)).as("%s bytes", bytes).isEqualTo(MALFORMED);
    }
  }

  @Test
  void any_changed_byte_leads_to_one_of_the_three_outcomes() {
    for (var version = (short) 3; version <= 13; version++) {
      var original =
          Wire.request(
              ApiKeys.PRODUCE,
              version,
              "client",
              new ProduceRequestData().setTransactionalId("tx"));
      for (var i = 0; i < original.writerIndex(); i++) {
        for (var value = 0; value < 256; value++) {
          var frame = original.copy().setByte(i, value);
          if (peek(frame) == MORE) {
            assertThat(peek.bytesNeeded()).isGreaterThan(frame.writerIndex());
          }
        }
      }
    }
  }

  private RequestPeek.Outcome peek(ByteBuf frame) {
    return peek.peek(frame, frame.readerIndex(), frame.writerIndex());
  }

  private static ByteBuf head(int key, int version) {
    return Unpooled.buffer().writeInt(100_000).writeShort(key).writeShort(version).writeInt(1);
  }

  /** Splits at every byte of small frames, and follows what the peek asks for in large ones. */
  private void thePeekTells(ByteBuf frame, ApiKeys key, short version, int acks) {
    var offset = 5;
    var in = Unpooled.buffer().writeZero(offset).writeBytes(frame.duplicate()).writeByte(0x7f);
    var size = frame.readableBytes();
    var asked = new ArrayList<Integer>();
    for (var there = 0; there < Math.min(size, 600); there++) {
      if (peek.peek(in, offset, offset + there) == MORE) {
        assertThat(peek.bytesNeeded()).isBetween(there + 1, size);
        asked.add(peek.bytesNeeded());
      } else {
        itTold(key, version, acks, size);
      }
    }
    assertThat(asked).isSorted();
    assertThat(peek.peek(in, offset, offset + size + 1))
        .as("%s v%s", key, version)
        .isEqualTo(PEEKED);
    itTold(key, version, acks, size);
    assertThat(in.readerIndex()).isZero();
  }

  private void itTold(ApiKeys key, short version, int acks, int size) {
    assertThat(peek.apiKey()).isEqualTo(key.id);
    assertThat(peek.apiVersion()).isEqualTo(version);
    assertThat(peek.correlationId()).isEqualTo(Wire.CORRELATION_ID);
    assertThat(peek.frameBytes()).isEqualTo(size - 4);
    assertThat((int) peek.acks()).isEqualTo(acks);
  }
}
