package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Writes a throttle time into a response in place, while it passes by in pieces: four bytes are
 * overwritten, and no length changes. A pause that the broker itself asks for is never shortened:
 * of both the longer one stays.
 *
 * <p>In most responses the field lies right behind the header; in Produce responses it lies behind
 * the topics, which are walked over. Nothing is allocated, and nothing is held: as the field is
 * big-endian, the greater of two is known byte by byte, wherever a piece may end.
 *
 * <p>One per connection, used for one response after the other, on one thread:
 *
 * <pre>{@code
 * stamp.begin(key, version, bodyBytes, millis);
 * while (!stamp.stamped()) {
 *   stamp.feed(in, from, to);                 // before the bytes are forwarded
 * }
 * }</pre>
 *
 * A response that is both stamped and skimmed for end points is stamped first.
 */
public final class ThrottleStamp {

  private final SkimWalk walk = new SkimWalk();

  private @Nullable SkimProgram program;
  private int left;
  private int millis;

  private boolean reached;
  private int written;
  private int order;
  private int result;

  /**
   * Begins with a response; what was not finished before is abandoned.
   *
   * @param key the API of its request
   * @param version the version of its request; {@link Throttle#carried} must be true
   * @param bodyBytes the response without its length, in bytes
   * @param throttleMillis the least that the client is to pause, in milliseconds; not negative
   */
  public void begin(short key, short version, int bodyBytes, int throttleMillis) {
    var way = Throttle.program(key, version);
    if (way == null || throttleMillis < 0) {
      throw new IllegalArgumentException(
          "expected a response with a throttle time, and a time of at least 0 ms, found "
              + (Apis.name(key) + " version " + version + " and " + throttleMillis + " ms"));
    }
    program = way;
    walk.begin(key, version, bodyBytes);
    left = bodyBytes;
    millis = throttleMillis;
    reached = false;
    written = 0;
    order = 0;
    result = 0;
  }

  /**
   * Takes the next bytes of the response's body, and overwrites the field among them. Bytes behind
   * it may be fed or not. No index of the buffer is moved.
   *
   * @param in owned by nobody else: it is written to
   * @param from the first of the bytes
   * @param to behind the last of them; not beyond the end of this response
   * @throws MalformedFrameException if the response does not parse as far as the field: what was
   *     overwritten may have been something else. Close both sides.
   */
  public void feed(ByteBuf in, int from, int to) throws MalformedFrameException {
    if (program == null || to - from > left) {
      throw new IllegalStateException(
          "expected at most " + left + " bytes of the response begun, found " + (to - from));
    }
    left -= to - from;
    var at = from;
    if (!reached) {
      at = walk.walk(program, in, from, to);
      reached = at < to;
      if (reached && walk.left() < Integer.BYTES) {
        throw walk.malformed("an end within the throttle time");
      }
    }
    while (at < to && written < Integer.BYTES) {
      stampByte(in, at);
      at++;
    }
  }

  /** Whether the whole of the field lies behind: what follows need not be fed. */
  public boolean stamped() {
    return written == Integer.BYTES;
  }

  /** Once stamped: how long the client is told to pause, in milliseconds. */
  public int throttleMillis() {
    return result;
  }

  private void stampByte(ByteBuf in, int at) {
    var ours = (byte) (millis >>> (Integer.SIZE - Byte.SIZE * (written + 1)));
    var theirs = in.getByte(at);
    if (order == 0) {
      // Only the first byte has a sign: a negative time is none.
      order = written == 0 ? Byte.compare(ours, theirs) : Byte.compareUnsigned(ours, theirs);
    }
    var greater = order > 0 ? ours : theirs;
    in.setByte(at, greater);
    result = (result << Byte.SIZE) | (greater & 0xff);
    written++;
  }
}
