package dev.sluice.proxy;

import dev.sluice.protocol.EmptyFetch;
import dev.sluice.protocol.GroupWait;
import dev.sluice.protocol.Refusals;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the proxy answers itself on one connection: answers that wait for their turn, requests that
 * were kept whole to be answered in the broker's place, and what to say there. At most as many as
 * requests are in flight. Belongs to the connection's event loop.
 */
final class OwnAnswers {

  private final InFlight inFlight;
  private final ByteBufAllocator allocator;
  private final Map<Long, ByteBuf> ready = new TreeMap<>();
  private final Map<Long, ByteBuf> held = new TreeMap<>();

  /** What filters answer to requests whose turn is said by somebody. */
  private final Map<Long, ByteBuf> heldAnswers = new TreeMap<>();

  OwnAnswers(InFlight inFlight, ByteBufAllocator allocator) {
    this.inFlight = inFlight;
    this.allocator = allocator;
  }

  /** An answer to a request. */
  void add(long position, ByteBuf answer) {
    ready.put(position, answer);
  }

  /** The answer whose turn it is; null if there is none. */
  @Nullable ByteBuf next() {
    return ready.isEmpty() ? null : ready.remove(inFlight.answeredPosition());
  }

  /** What a filter answers to a request that the broker will not get. */
  void holdAnswer(long position, ByteBuf answer) {
    heldAnswers.put(position, answer);
  }

  /** What a filter has answered, and has passed the others; null if none has. */
  @Nullable ByteBuf heldAnswer(long position) {
    return heldAnswers.remove(position);
  }

  /** The request that was asked last was kept whole. */
  void hold(ByteBuf frame) {
    held.put(inFlight.nextPosition() - 1, frame);
  }

  /**
   * What to tell a client in the broker's place.
   *
   * @param position of a request that is held, or of a poll or group wait that a broker has
   * @return null where no answer would be taken quietly
   */
  @Nullable ByteBuf inPlaceOfTheBroker(long position, int throttleMillis) {
    var frame = held.remove(position);
    if (frame != null) {
      try {
        return Refusals.answer(frame, throttleMillis, allocator);
      } finally {
        frame.release();
      }
    }
    short key = inFlight.apiKey(position);
    short version = inFlight.version(position);
    int correlationId = inFlight.correlationId(position);
    return key == Requests.FETCH
        ? EmptyFetch.answer(
            version, correlationId, throttleMillis, inFlight.sessionId(position), allocator)
        : GroupWait.answer(key, version, correlationId, throttleMillis, allocator);
  }

  /** Nothing of it will be given any more. */
  void release() {
    ready.values().forEach(ByteBuf::release);
    ready.clear();
    held.values().forEach(ByteBuf::release);
    held.clear();
    heldAnswers.values().forEach(ByteBuf::release);
    heldAnswers.clear();
  }
}
