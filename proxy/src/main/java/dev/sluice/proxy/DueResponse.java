package dev.sluice.proxy;

import dev.sluice.protocol.ApiTreatment;
import dev.sluice.protocol.ApiVersions;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.EndpointSkim;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.MalformedFrameException;
import dev.sluice.protocol.ThrottleStamp;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The response that a broker is sending: the answer to the request whose turn it is. That request
 * says how its bytes pass: as they come; as they come but for end points at their end; collected,
 * read and written anew; collected and shown to filters; or not at all.
 *
 * <p>One object serves all responses of an upstream connection, one after the other. Belongs to the
 * connection's event loop.
 */
final class DueResponse {

  /** The length and the correlation id, in bytes: what has to be there to begin. */
  static final int HEADER_BYTES = FrameCheck.LENGTH_BYTES + FrameCheck.SHORTEST_RESPONSE;

  /** What is set aside at first for a response that has to be collected, in bytes. */
  private static final int FIRST_COLLECTED_BYTES = 64 * 1024;

  private static final long NONE = -1;

  private final ClientConnection connection;
  private Generation generation;

  /** Made for the first response that needs it: many connections never see one. */
  private @Nullable EndpointSkim skim;

  /** Where it asks the client for a pause. */
  private @Nullable ThrottleStamp stamp;

  /** The request that it answers. */
  private long position = NONE;

  private short key;
  private short version;
  private ApiTreatment treatment = ApiTreatment.OPAQUE;

  /** Bytes that are still to come. */
  private long left;

  /** How many of them are its length. */
  private int lengthAhead;

  /** What was collected of it, its length included. */
  private @Nullable ByteBuf collected;

  /** What it is replaced by as a whole. */
  private @Nullable ByteBuf replacement;

  /** Whether its request was answered in the broker's place before. */
  private boolean dropping;

  /** Whether filters want it. */
  private boolean filtered;

  /** Whether filters are just being given it: they may be done with it at once. */
  private boolean atOnce;

  /** How many responses ended since bytes were last given to the client. */
  private int answers;

  DueResponse(ClientConnection connection, Generation generation) {
    this.connection = connection;
    this.generation = generation;
  }

  /** Another generation serves the client from here on; nothing that is not dropped is due. */
  void serve(Generation next) {
    abandonSkim();
    generation = next;
  }

  /** Bytes of it that are still to come; zero between two responses. */
  long left() {
    return left;
  }

  /** Takes the response in whose header is whole; false where it is no answer to what was asked. */
  boolean begin(ByteBuf in, int at) throws MalformedFrameException {
    int bodyBytes = in.getInt(at);
    var inFlight = connection.inFlight();
    if (!FrameCheck.responseLength(bodyBytes, generation.limits().maxFrameSize())
        || !inFlight.awaitsResponse()
        || in.getInt(at + FrameCheck.LENGTH_BYTES)
            != inFlight.correlationId(inFlight.duePosition())) {
      return false;
    }
    left = (long) bodyBytes + FrameCheck.LENGTH_BYTES;
    position = inFlight.duePosition();
    key = inFlight.apiKey(position);
    version = inFlight.version(position);
    inFlight.receive();
    lengthAhead = FrameCheck.LENGTH_BYTES;
    int throttle = connection.quiet().responseCame(position, key, version);
    dropping = throttle == QuietHost.DROP;
    treatment = dropping ? ApiTreatment.OPAQUE : Apis.responseTreatment(key, version);
    stamp = throttle > 0 ? new ThrottleStamp() : null;
    if (stamp != null) {
      stamp.begin(key, version, bodyBytes, throttle);
    }
    filtered = !dropping && connection.filtering().wantsResponse(key, version);
    if (filtered) {
      collected = Unpooled.buffer((int) Math.min(left, FIRST_COLLECTED_BYTES));
      return true;
    }
    switch (treatment) {
      case OPAQUE -> {}
      case DECODED -> collected = collector((int) Math.min(left, FIRST_COLLECTED_BYTES));
      case SKIMMED -> beginSkimming(in, at, bodyBytes);
    }
    return true;
  }

  /** Why {@link #begin} refused what lies here, for a person. */
  String unlike(ByteBuf in, int at) {
    var inFlight = connection.inFlight();
    int maxFrameSize = generation.limits().maxFrameSize();
    int frameBytes = in.getInt(at);
    if (!FrameCheck.responseLength(frameBytes, maxFrameSize)) {
      if (FrameCheck.isResponseOverBound(in, at, in.writerIndex(), maxFrameSize)) {
        generation.meters().reached(Limit.MAX_FRAME_SIZE);
      }
      return FrameCheck.unlikeResponse(in, at, in.writerIndex(), maxFrameSize);
    }
    if (!inFlight.awaitsResponse()) {
      return "expected no response, found one of " + frameBytes + " bytes: nothing was asked";
    }
    return "expected a response to "
        + Apis.name(inFlight.apiKey(inFlight.duePosition()))
        + " with correlation id "
        + inFlight.correlationId(inFlight.duePosition())
        + ", found "
        + in.getInt(at + FrameCheck.LENGTH_BYTES)
        + "; check that the upstream is a Kafka broker's listener";
  }

  /**
   * A response that lies here as a whole may change its length; of one that is cut through the
   * length has left already when its end comes.
   */
  private void beginSkimming(ByteBuf in, int at, int bodyBytes) throws MalformedFrameException {
    boolean whole = in.writerIndex() - at >= left;
    skim().begin(key, version, bodyBytes, !whole);
    if (!whole) {
      return;
    }
    treatment = ApiTreatment.OPAQUE;
    int body = at + FrameCheck.LENGTH_BYTES;
    stamp(in, body, body + bodyBytes);
    replacement = skimmed(in, body, bodyBytes);
  }

  private EndpointSkim skim() {
    if (skim == null) {
      skim = generation.skim(connection.gateway(), connection.client().alloc());
    }
    return skim;
  }

  /** A whole response with other end points; null if it names none. */
  private @Nullable ByteBuf skimmed(ByteBuf in, int body, int bodyBytes)
      throws MalformedFrameException {
    var walk = skim();
    int plain = walk.feed(in, body, body + bodyBytes);
    var tail = walk.takeTail();
    if (tail == null) {
      return null;
    }
    var whole =
        collector(FrameCheck.LENGTH_BYTES + plain + tail.readableBytes())
            .writeInt(bodyBytes + walk.lengthChange())
            .writeBytes(in, body, plain)
            .writeBytes(tail);
    tail.release();
    return whole;
  }

  private ByteBuf collector(int firstBytes) {
    return connection.client().alloc().buffer(firstBytes);
  }

  /** Takes its next bytes; returns how many of them pass as they are. */
  int take(ByteBuf in, int at, int count) throws MalformedFrameException {
    left -= count;
    int length = lengthAhead;
    lengthAhead = 0;
    if (replacement != null || dropping) {
      return 0;
    }
    stamp(in, at + length, at + count);
    if (filtered && collected != null) {
      collected.writeBytes(in, at, count);
      return 0;
    }
    return switch (treatment) {
      case OPAQUE -> count;
      case SKIMMED -> length + skim().feed(in, at + length, at + count);
      case DECODED -> {
        if (collected != null) {
          collected.writeBytes(in, at, count);
        }
        yield 0;
      }
    };
  }

  private void stamp(ByteBuf in, int from, int to) throws MalformedFrameException {
    if (stamp != null && !stamp.stamped()) {
      stamp.feed(in, from, to);
    }
  }

  /** It has come to its end. What was held back of it, or is in its place, is given. */
  void end() throws MalformedFrameException {
    if (dropping) {
      return;
    }
    if (filtered) {
      filter();
      return;
    }
    ended();
    var instead = instead();
    if (instead != null) {
      give(instead);
    }
  }

  private void ended() {
    var inFlight = connection.inFlight();
    generation.meters().answered(key, connection.movedAt() - inFlight.askedAt(position));
    inFlight.answer();
    answers++;
  }

  /** Filters see a response as clients would without them: with addresses of the proxy. */
  private void filter() throws MalformedFrameException {
    filtered = false;
    var frame = asClientsSee();
    if (key == ApiVersions.API_KEY && ApiVersions.isFallback(frame)) {
      ended();
      give(frame); // In another version than was asked for.
      return;
    }
    atOnce = true;
    connection.filtering().response(position, frame, this::giveFiltered);
    atOnce = false;
  }

  private ByteBuf asClientsSee() throws MalformedFrameException {
    var frame = Objects.requireNonNull(collected);
    if (treatment == ApiTreatment.DECODED) {
      return Objects.requireNonNull(instead());
    }
    collected = null;
    if (treatment == ApiTreatment.OPAQUE) {
      return frame;
    }
    int bodyBytes = frame.readableBytes() - FrameCheck.LENGTH_BYTES;
    skim().begin(key, version, bodyBytes, false);
    var whole = skimmed(frame, FrameCheck.LENGTH_BYTES, bodyBytes);
    if (whole == null) {
      return frame;
    }
    frame.release();
    return whole;
  }

  private void giveFiltered(ByteBuf bytes) {
    ended();
    give(bytes);
    if (!atOnce) {
      if (connection.clientSide().hasOwnSay()) {
        letFollow();
      }
      connection.brokerSide().readOn();
    }
  }

  /** What goes to the client in place of what was held back; null if nothing was. */
  private @Nullable ByteBuf instead() throws MalformedFrameException {
    var ready = replacement;
    if (ready != null) {
      replacement = null;
      return ready;
    }
    var frame = collected;
    if (frame == null) {
      return treatment == ApiTreatment.SKIMMED ? skim().takeTail() : null;
    }
    collected = null;
    try {
      return generation.rewrite(connection.gateway(), key, version, frame);
    } finally {
      frame.release();
    }
  }

  /** All that has come is with the client's channel: what is the proxy's own may follow. */
  void letFollow() {
    if (position >= 0 && !dropping) {
      connection.quiet().answered(position);
    }
    position = NONE;
    connection.clientSide().giveOwnAnswers();
  }

  /** Hands bytes to the client, with which all responses end that have ended so far. */
  void give(ByteBuf bytes) {
    int ended = answers;
    answers = 0;
    generation.meters().answeredBytes(bytes.readableBytes());
    connection.clientSide().answer(bytes, ended);
  }

  /** Nothing more comes of it. */
  void abandon() {
    if (collected != null) {
      collected.release();
      collected = null;
    }
    if (replacement != null) {
      replacement.release();
      replacement = null;
    }
    abandonSkim();
  }

  private void abandonSkim() {
    if (skim != null) {
      skim.abandon();
      skim = null;
    }
  }
}
