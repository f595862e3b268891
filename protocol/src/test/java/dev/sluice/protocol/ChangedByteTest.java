package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.SplittableRandom;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * For every API and version: a valid frame in which a single byte is another is read or refused. It
 * never loops, leaks a buffer, reads beyond its end, or fails in a way that nobody expects.
 */
class ChangedByteTest {

  private static final long SEED = Long.getLong("seed", 20_261_129);

  /** What a byte is changed to: the ends of its range, as a signed one and as a length. */
  private static final byte[] ENDS = {0, 1, 0x7F, (byte) 0x80, (byte) 0xFF};

  /** So many bytes of a frame are changed one after the other; of longer ones so many by chance. */
  private static final int MOST_CHANGED = 400;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final DataPath path = new DataPath(random);

  /** Whether every byte becomes each of the ends; else one of them, and another one by a bit. */
  private boolean thorough;

  @AfterEach
  void every_buffer_is_given_back() {
    path.allIsBack();
  }

  @Test
  void a_request_with_a_changed_byte_is_read_or_refused() {
    requests(1);
  }

  @Test
  void a_response_with_a_changed_byte_is_read_or_refused() {
    responses(1);
  }

  @Test
  @Tag("acceptance")
  void many_frames_with_a_changed_byte_are_read_or_refused() {
    thorough = true;
    requests(20);
    responses(20);
  }

  private void requests(int messages) {
    everyVersion(
        messages,
        (key, version) -> {
          var header = new RequestHeaderData().setClientId("client");
          var schema = key.messageType.requestSchemas()[version];
          everyChange(
              Structs.request(key, version, header, new Structs(random).struct(schema)),
              path::request);
        });
  }

  private void responses(int messages) {
    everyVersion(
        messages,
        (key, version) -> {
          var schema = key.messageType.responseSchemas()[version];
          everyChange(
              Structs.response(key, version, false, new Structs(random).struct(schema)),
              frame -> path.response(key.id, version, frame));
        });
  }

  // ---- every API, every byte ------------------------------------------------------------------

  private interface Case {
    void with(ApiKeys key, short version);
  }

  private interface Frame {
    void read(ByteBuf frame);
  }

  private void everyVersion(int messages, Case one) {
    System.out.println("ChangedByteTest: seed " + SEED);
    for (var key : ApiKeys.clientApis()) {
      for (var version : key.allVersions()) {
        if (Apis.known(key.id, version)) {
          for (int i = 0; i < messages; i++) {
            one.with(key, version);
          }
        }
      }
    }
    System.out.printf(
        "ChangedByteTest: %,d frames read, %,d refused%n", path.read(), path.refused());
    assertThat(path.read()).isPositive();
    assertThat(path.refused()).isPositive();
  }

  private void everyChange(ByteBuf frame, Frame reader) {
    reader.read(frame);
    int bytes = frame.writerIndex();
    for (int i = 0; i < Math.min(bytes, MOST_CHANGED); i++) {
      int at = bytes <= MOST_CHANGED ? i : random.nextInt(bytes);
      byte was = frame.getByte(at);
      if (thorough) {
        for (byte end : ENDS) {
          changed(frame, at, end, reader);
        }
      } else {
        changed(frame, at, ENDS[random.nextInt(ENDS.length)], reader);
      }
      changed(frame, at, (byte) (was ^ 1 << random.nextInt(Byte.SIZE)), reader);
      frame.setByte(at, was);
    }
  }

  private static void changed(ByteBuf frame, int at, byte to, Frame reader) {
    frame.setByte(at, to);
    try {
      reader.read(frame);
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "byte %d changed to %d in %s".formatted(at, to, ByteBufUtil.hexDump(frame)), e);
    }
  }
}
