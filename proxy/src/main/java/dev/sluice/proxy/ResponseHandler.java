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
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a broker answers. As with requests, a chunk is walked from header to header and goes
 * on as one slice. Only a response that names brokers is collected, read and written anew; it is
 * recognised by the request whose turn it is.
 */
final class ResponseHandler extends ChannelInboundHandlerAdapter {

  /** The length and the correlation id, in bytes. */
  private static final int HEADER_BYTES = FrameCheck.LENGTH_BYTES + FrameCheck.SHORTEST_RESPONSE;

  /** What is set aside at first for a response that has to be collected, in bytes. */
  private static final int FIRST_COLLECTED_BYTES = 64 * 1024;

  private static final long NONE = -1;

  private final ClientConnection connection;
  private Generation generation;
  private int maxFrameSize;

  /** The beginning of a header that is not complete. */
  private @Nullable ByteBuf cutHeader;

  /** The response that is being collected, its length included. */
  private @Nullable ByteBuf collected;

  /** What the current frame is replaced by as a whole. */
  private @Nullable ByteBuf replacement;

  private EndpointSkim skim;
  private ApiTreatment treatment = ApiTreatment.OPAQUE;

  /** Bytes of the current frame that are still to come. */
  private long left;

  /** How many of them are its length. */
  private int lengthAhead;

  private int answers;

  /** The request that the current frame answers. */
  private long position = NONE;

  private short key;
  private short version;

  /** Whether its request was answered in the broker's place before. */
  private boolean dropping;

  /** Whether filters want it. */
  private boolean filtered;

  /** Whether filters are just being given a response: they may be done with it at once. */
  private boolean atOnce;

  /** Whether a chunk is being walked. */
  private boolean consuming;

  /** What came while a filter had a response. */
  private final Queue<ByteBuf> parked = new ArrayDeque<>(0);

  /** Whether the broker sent its last byte meanwhile. */
  private boolean endParked;

  /** Whether it asks the client for a pause. */
  private boolean stamping;

  /** Whether another upstream connection serves the client: what comes here is not heard. */
  private boolean isLeft;

  private final ThrottleStamp stamp = new ThrottleStamp();

  ResponseHandler(ClientConnection connection, Generation generation) {
    this.connection = connection;
    this.generation = generation;
    this.maxFrameSize = generation.limits().maxFrameSize();
    this.skim = generation.skim(connection.gateway(), connection.client().alloc());
  }

  /** Another generation serves the client from here on; nothing that is not dropped is due. */
  void serve(Generation next) {
    skim.abandon();
    generation = next;
    maxFrameSize = next.limits().maxFrameSize();
    skim = next.skim(connection.gateway(), connection.client().alloc());
  }

  @Override
  public void channelRead(ChannelHandlerContext channel, Object message) {
    var chunk = (ByteBuf) message;
    if (isHeldUp()) {
      parked.add(chunk);
      return;
    }
    connection.moved(System.nanoTime());
    consumeAll(chunk);
  }

  /** Whether what comes has to wait for a filter that has a response. */
  private boolean isHeldUp() {
    return connection.filtering().isAnswering() && !connection.isEnding();
  }

  /** The filters are done with what held the others up. */
  void goOn() {
    while (!consuming && !parked.isEmpty() && !isHeldUp()) {
      consumeAll(parked.remove());
    }
    connection.clientSide().flush();
    if (endParked && !isHeldUp() && parked.isEmpty()) {
      endParked = false;
      connection.parting().upstreamEnded();
    }
  }

  private void consumeAll(ByteBuf chunk) {
    consuming = true;
    try {
      if (!connection.isEnding()) {
        consume(chunk);
      }
    } catch (MalformedFrameException e) {
      connection.end(DisconnectCause.BAD_RESPONSE, e.getMessage());
    } finally {
      consuming = false;
      chunk.release();
    }
    if (!isLeft) {
      connection.answering().came(connection.movedAt(), cutHeader != null, left > 0);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext channel) {
    connection.clientSide().flush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext channel) {
    connection.brokerSide().writable(channel.channel().isWritable());
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext channel, Object event) {
    if (Handshakes.isEnd(event) && !connection.brokerSide().settled()) {
      endParked = isHeldUp();
      if (!endParked) {
        connection.parting().upstreamEnded();
      }
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext channel) {
    if (!connection.brokerSide().settled()) {
      connection.parting().upstreamClosed();
    }
  }

  /** Its channel is closed, or has been left. */
  @Override
  public void handlerRemoved(ChannelHandlerContext channel) {
    isLeft = true;
    release(cutHeader);
    release(collected);
    release(replacement);
    parked.forEach(ByteBuf::release);
    parked.clear();
    cutHeader = null;
    collected = null;
    replacement = null;
    skim.abandon();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
    connection.parting().upstreamFailed(Handshakes.cause(failure));
  }

  private void consume(ByteBuf chunk) throws MalformedFrameException {
    if ((cutHeader != null && !completeHeader(cutHeader, chunk)) || isLeft) {
      return;
    }
    if (isHeldUp()) {
      park(chunk, chunk.readerIndex());
      return;
    }
    int at = chunk.readerIndex();
    int end = chunk.writerIndex();
    int from = at;
    while (true) {
      int taken = (int) Math.min(left, end - at);
      if (taken > 0) {
        int plain = taken(chunk, from, at, taken);
        if (plain < taken) {
          forward(chunk, from, at + plain);
          from = at + taken;
        }
        at += taken;
        if (left == 0) {
          endFrame();
        }
      }
      if (isHeldUp()) {
        park(chunk, at);
        return;
      }
      if (left == 0 && connection.clientSide().hasOwnSay()) {
        forward(chunk, from, at);
        from = at;
        haveSay();
        if (isLeft) {
          return;
        }
      }
      if (end - at < HEADER_BYTES) {
        break;
      }
      if (!begun(chunk, from, at)) {
        forward(chunk, from, at);
        refuse(chunk, at);
        return;
      }
    }
    if (at < end) {
      cutHeader = chunk.alloc().buffer(HEADER_BYTES).writeBytes(chunk, at, end - at);
    }
    forward(chunk, from, at);
  }

  /** What follows a response that a filter has waits for it. */
  private void park(ByteBuf chunk, int at) {
    connection.brokerSide().read(false);
    if (at < chunk.writerIndex()) {
      parked.add(chunk.retainedSlice(at, chunk.writerIndex() - at));
    }
  }

  /** Begins; the responses before one that is broken are still given. */
  private boolean begun(ByteBuf chunk, int from, int at) throws MalformedFrameException {
    try {
      return begin(chunk, at);
    } catch (MalformedFrameException e) {
      forward(chunk, from, at);
      throw e;
    }
  }

  /** Takes; the responses before one that is broken are still given. */
  private int taken(ByteBuf chunk, int from, int at, int count) throws MalformedFrameException {
    try {
      return take(chunk, at, count);
    } catch (MalformedFrameException e) {
      forward(chunk, from, at);
      throw e;
    }
  }

  /** Returns whether the header, of which a chunk's end had cut off a part, is whole. */
  private boolean completeHeader(ByteBuf header, ByteBuf chunk) throws MalformedFrameException {
    int lacking = HEADER_BYTES - header.readableBytes();
    header.writeBytes(chunk, Math.min(lacking, chunk.readableBytes()));
    if (header.readableBytes() < HEADER_BYTES) {
      return false;
    }
    cutHeader = null;
    try {
      if (!begin(header, 0)) {
        refuse(header, 0);
        return false;
      }
      int plain = take(header, 0, HEADER_BYTES);
      if (left == 0) {
        endFrame();
      }
      forward(header, 0, plain);
      if (left == 0 && !isHeldUp()) {
        haveSay();
      }
      return true;
    } finally {
      header.release();
    }
  }

  /** Takes the response in whose header is whole; false where it is no answer to what was asked. */
  private boolean begin(ByteBuf in, int at) throws MalformedFrameException {
    int bodyBytes = in.getInt(at);
    var inFlight = connection.inFlight();
    if (!FrameCheck.responseLength(bodyBytes, maxFrameSize)
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
    stamping = throttle > 0;
    treatment = dropping ? ApiTreatment.OPAQUE : Apis.responseTreatment(key, version);
    if (stamping) {
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

  /**
   * A response that lies here as a whole may change its length; of one that is cut through the
   * length has left already when its end comes.
   */
  private void beginSkimming(ByteBuf in, int at, int bodyBytes) throws MalformedFrameException {
    boolean whole = in.writerIndex() - at >= left;
    skim.begin(key, version, bodyBytes, !whole);
    if (!whole) {
      return;
    }
    treatment = ApiTreatment.OPAQUE;
    int body = at + FrameCheck.LENGTH_BYTES;
    stamp(in, body, body + bodyBytes);
    replacement = skimmed(in, body, bodyBytes);
  }

  /** A whole response with other end points; null if it names none. */
  private @Nullable ByteBuf skimmed(ByteBuf in, int body, int bodyBytes)
      throws MalformedFrameException {
    int plain = skim.feed(in, body, body + bodyBytes);
    var tail = skim.takeTail();
    if (tail == null) {
      return null;
    }
    var whole =
        collector(FrameCheck.LENGTH_BYTES + plain + tail.readableBytes())
            .writeInt(bodyBytes + skim.lengthChange())
            .writeBytes(in, body, plain)
            .writeBytes(tail);
    tail.release();
    return whole;
  }

  private ByteBuf collector(int firstBytes) {
    return connection.client().alloc().buffer(firstBytes);
  }

  /** Takes the next bytes of the current frame; returns how many of them pass as they are. */
  private int take(ByteBuf in, int at, int count) throws MalformedFrameException {
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
      case SKIMMED -> length + skim.feed(in, at + length, at + count);
      case DECODED -> {
        if (collected != null) {
          collected.writeBytes(in, at, count);
        }
        yield 0;
      }
    };
  }

  private void stamp(ByteBuf in, int from, int to) throws MalformedFrameException {
    if (stamping && !stamp.stamped()) {
      stamp.feed(in, from, to);
    }
  }

  /** The response has come to its end. */
  private void endFrame() throws MalformedFrameException {
    if (dropping) {
      return;
    }
    if (filtered) {
      filter();
      return;
    }
    ended();
    var instead = instead(key, version);
    if (instead != null) {
      answer(instead);
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
      answer(frame); // In another version than was asked for.
      return;
    }
    atOnce = true;
    connection.filtering().response(position, frame, this::giveFiltered);
    atOnce = false;
  }

  private ByteBuf asClientsSee() throws MalformedFrameException {
    var frame = Objects.requireNonNull(collected);
    if (treatment == ApiTreatment.DECODED) {
      return Objects.requireNonNull(instead(key, version));
    }
    collected = null;
    if (treatment == ApiTreatment.OPAQUE) {
      return frame;
    }
    int bodyBytes = frame.readableBytes() - FrameCheck.LENGTH_BYTES;
    skim.begin(key, version, bodyBytes, false);
    var whole = skimmed(frame, FrameCheck.LENGTH_BYTES, bodyBytes);
    if (whole == null) {
      return frame;
    }
    frame.release();
    return whole;
  }

  private void giveFiltered(ByteBuf bytes) {
    ended();
    answer(bytes);
    if (!atOnce) {
      if (connection.clientSide().hasOwnSay()) {
        haveSay();
      }
      connection.brokerSide().readOn();
    }
  }

  /** What goes to the client in place of what was held back of the frame; null if nothing was. */
  private @Nullable ByteBuf instead(short key, short version) throws MalformedFrameException {
    var ready = replacement;
    if (ready != null) {
      replacement = null;
      return ready;
    }
    var frame = collected;
    if (frame == null) {
      return treatment == ApiTreatment.SKIMMED ? skim.takeTail() : null;
    }
    collected = null;
    try {
      return generation.rewrite(connection.gateway(), key, version, frame);
    } finally {
      frame.release();
    }
  }

  /** All that has come is with the client's channel: what is the proxy's own may follow. */
  private void haveSay() {
    if (position >= 0 && !dropping) {
      connection.quiet().answered(position);
    }
    position = NONE;
    connection.clientSide().giveOwnAnswers();
  }

  private void forward(ByteBuf chunk, int from, int to) {
    if (to > from) {
      answer(chunk.retainedSlice(from, to - from));
    }
  }

  private void answer(ByteBuf bytes) {
    int ended = answers;
    answers = 0;
    generation.meters().answeredBytes(bytes.readableBytes());
    connection.clientSide().answer(bytes, ended);
  }

  private void refuse(ByteBuf in, int at) {
    var inFlight = connection.inFlight();
    int frameBytes = in.getInt(at);
    String why;
    if (!FrameCheck.responseLength(frameBytes, maxFrameSize)) {
      if (FrameCheck.isResponseOverBound(in, at, in.writerIndex(), maxFrameSize)) {
        generation.meters().reached(Limit.MAX_FRAME_SIZE);
      }
      why = FrameCheck.unlikeResponse(in, at, in.writerIndex(), maxFrameSize);
    } else if (!inFlight.awaitsResponse()) {
      why = "expected no response, found one of " + frameBytes + " bytes: nothing was asked";
    } else {
      why =
          "expected a response to "
              + Apis.name(inFlight.apiKey(inFlight.duePosition()))
              + " with correlation id "
              + inFlight.correlationId(inFlight.duePosition())
              + ", found "
              + in.getInt(at + FrameCheck.LENGTH_BYTES)
              + "; check that the upstream is a Kafka broker's listener";
    }
    connection.end(DisconnectCause.BAD_RESPONSE, why);
  }

  private static void release(@Nullable ByteBuf bytes) {
    if (bytes != null) {
      bytes.release();
    }
  }
}
