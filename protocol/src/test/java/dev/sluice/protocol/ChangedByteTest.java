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

  private static final int MAX_FRAME_BYTES = 1 << 20;
  private static final int PAUSE_MILLIS = 100;

  private final CountedBuffers buffers = new CountedBuffers();
  private final RequestPeek peek = new RequestPeek(MAX_FRAME_BYTES);
  private final FetchPeek fetchPeek = new FetchPeek();
  private final ThrottleStamp stamp = new ThrottleStamp();
  private final EndpointSkim skim =
      new EndpointSkim(ChangedByteTest::advertised, (_, _, _, _) -> {}, buffers.allocator);
  private final Addresses addresses =
      new Addresses(ChangedByteTest::advertised, (_, _, _, _) -> {});

  private final SplittableRandom random = new SplittableRandom(SEED);
  private long read;
  private long refused;

  private static Endpoint advertised(int node) {
    return new Endpoint("a-rather-long-name.example", 9_192 + (node & 7));
  }

  @AfterEach
  void every_buffer_is_given_back() {
    skim.abandon();
    buffers.allAreBack();
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
              this::request);
        });
  }

  private void responses(int messages) {
    everyVersion(
        messages,
        (key, version) -> {
          var schema = key.messageType.responseSchemas()[version];
          everyChange(
              Structs.response(key, version, false, new Structs(random).struct(schema)),
              frame -> response(key.id, version, frame));
        });
  }

  // ---- what the data path does with a frame ---------------------------------------------------

  private void request(ByteBuf frame) {
    int arrived = 0;
    var outcome = RequestPeek.Outcome.MORE;
    while (outcome == RequestPeek.Outcome.MORE && arrived < frame.writerIndex()) {
      arrived = Math.min(frame.writerIndex(), arrived + 1 + random.nextInt(16));
      outcome = peek.peek(frame, 0, arrived);
    }
    if (outcome != RequestPeek.Outcome.PEEKED) {
      assertThat(FrameCheck.unlikeRequest(frame, 0, arrived, MAX_FRAME_BYTES)).isNotBlank();
      refused++;
      return;
    }
    read++;
    ClientHello.clientId(frame, 0, arrived);
    ClientHello.software(frame, 0, arrived);
    if (!Apis.known(peek.apiKey(), peek.apiVersion())) {
      return;
    }
    var key = ApiKeys.forId(peek.apiKey());
    if (key == ApiKeys.FETCH || key == ApiKeys.SHARE_FETCH) {
      fetchPeek.peek(frame, 0, frame.writerIndex());
    }
    var answer = Refusals.answer(frame, PAUSE_MILLIS, buffers.allocator);
    if (answer != null) {
      answer.release();
    }
  }

  private void response(short key, short version, ByteBuf frame) {
    int from = FrameCheck.LENGTH_BYTES;
    int bytes = frame.writerIndex() - from;
    try {
      if (Throttle.carried(key, version)) {
        stamp.begin(key, version, bytes, PAUSE_MILLIS);
        // Of a copy: what it writes is no change that is tried here.
        stamp.feed(frame.copy(), from, frame.writerIndex());
      }
      switch (Apis.responseTreatment(key, version)) {
        case OPAQUE -> {}
        case SKIMMED -> skimmed(key, version, frame, from, bytes);
        case DECODED -> decoded(key, version, frame.slice(from, bytes)).release();
      }
      read++;
    } catch (MalformedFrameException e) {
      assertThat(e).hasMessageContaining("found");
      refused++;
    }
  }

  private void skimmed(short key, short version, ByteBuf frame, int from, int bytes)
      throws MalformedFrameException {
    skim.begin(key, version, bytes, random.nextBoolean());
    for (int at = from; at < from + bytes; ) {
      int to = Math.min(from + bytes, at + 1 + random.nextInt(64));
      skim.feed(frame, at, to);
      at = to;
    }
    var tail = skim.takeTail();
    if (tail != null) {
      tail.release();
    }
  }

  private ByteBuf decoded(short key, short version, ByteBuf body) throws MalformedFrameException {
    return key == ApiVersions.API_KEY
        ? ApiVersions.narrowed(version, body, buffers.allocator)
        : addresses.rewrite(key, version, body, buffers.allocator);
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
    System.out.printf("ChangedByteTest: %,d frames read, %,d refused%n", read, refused);
    assertThat(read).isPositive();
    assertThat(refused).isPositive();
  }

  private void everyChange(ByteBuf frame, Frame reader) {
    reader.read(frame);
    int bytes = frame.writerIndex();
    for (int i = 0; i < Math.min(bytes, MOST_CHANGED); i++) {
      int at = bytes <= MOST_CHANGED ? i : random.nextInt(bytes);
      byte was = frame.getByte(at);
      for (byte end : ENDS) {
        changed(frame, at, end, reader);
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
