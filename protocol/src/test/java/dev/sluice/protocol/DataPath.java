package dev.sluice.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * All that is done anywhere with a frame: peeked and skimmed in chunks of any size, decoded,
 * written anew, refused. It is read or refused; whatever else it comes to is thrown.
 */
final class DataPath {

  static final int MAX_FRAME_BYTES = 1 << 20;

  private static final int PAUSE_MILLIS = 100;

  private final CountedBuffers buffers = new CountedBuffers();
  private final RequestPeek peek = new RequestPeek(MAX_FRAME_BYTES);
  private final FetchPeek fetchPeek = new FetchPeek();
  private final ThrottleStamp stamp = new ThrottleStamp();
  private final EndpointSkim skim =
      new EndpointSkim(DataPath::advertised, (_, _, _, _) -> {}, buffers.allocator);
  private final Addresses addresses = new Addresses(DataPath::advertised, (_, _, _, _) -> {});
  private final RandomGenerator random;

  private long read;
  private long refused;

  /**
   * @param random says in which chunks a frame comes
   */
  DataPath(RandomGenerator random) {
    this.random = random;
  }

  private static Endpoint advertised(int node) {
    return new Endpoint("a-rather-long-name.example", 9_192 + (node & 7));
  }

  long read() {
    return read;
  }

  long refused() {
    return refused;
  }

  /** Nothing is under way any more, and every buffer was given back. */
  void allIsBack() {
    skim.abandon();
    buffers.allAreBack();
  }

  /** As a client sends it. */
  void request(ByteBuf frame) {
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
    ClientHello.clientId(frame, 0, arrived);
    ClientHello.software(frame, 0, arrived);
    if (!Apis.known(peek.apiKey(), peek.apiVersion())) {
      read++;
      return;
    }
    var key = ApiKeys.forId(peek.apiKey());
    if (key == ApiKeys.FETCH || key == ApiKeys.SHARE_FETCH) {
      fetchPeek.peek(frame, 0, frame.writerIndex());
    }
    if (!isWhole(frame)) {
      read++;
      return;
    }
    var answer = Refusals.answer(frame, PAUSE_MILLIS, buffers.allocator);
    if (answer != null) {
      answer.release();
    }
    try {
      DecodedRequest.of(frame).framed(buffers.allocator).release();
      read++;
    } catch (MalformedFrameException e) {
      refused(e);
    }
  }

  /** As the broker answers a request of this API and version. */
  void response(short key, short version, ByteBuf frame) {
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
      if (isWhole(frame)) {
        DecodedResponse.of(key, version, frame).framed(key, version, buffers.allocator).release();
      }
      read++;
    } catch (MalformedFrameException e) {
      refused(e);
    }
  }

  /** Who decodes has collected a whole frame: its length is what it says. */
  private static boolean isWhole(ByteBuf frame) {
    return frame.getInt(0) == frame.writerIndex() - FrameCheck.LENGTH_BYTES;
  }

  private void refused(MalformedFrameException e) {
    assertThat(e).hasMessageContaining("found");
    refused++;
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
}
