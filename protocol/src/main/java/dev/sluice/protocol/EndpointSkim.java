package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds and replaces the broker end points at the end of Produce, Fetch, ShareFetch and
 * ShareAcknowledge responses (KIP-951) while the response passes by in pieces.
 *
 * <p>It walks the structure, jumps over records by their length, and touches nothing before the end
 * points. Usually there are none: then every byte may be forwarded as it came, and nothing is
 * allocated. Otherwise the last bytes are held until they are complete, at most {@link
 * #MAX_TAIL_BYTES}, and a replacement goes in their place.
 *
 * <p>Of a response whose length has already been forwarded the length must be kept: an unknown
 * tagged field, which every client must ignore, fills what is left over; if the new addresses do
 * not fit, first the racks go, then end points from the last on. A client without an end point asks
 * for metadata, as it always did before KIP-951.
 *
 * <p>One per connection, used for one response after the other, on one thread:
 *
 * <pre>{@code
 * skim.begin(key, version, bodyBytes, lengthKept);
 * while (!skim.done()) {
 *   int plain = skim.feed(in, from, to);      // forward [from, from + plain) as it is
 * }
 * ByteBuf tail = skim.takeTail();             // then this, unless it is null
 * }</pre>
 *
 * If the length need not be kept and there is a tail, add {@link #lengthChange()} to the length
 * before the frame.
 */
public final class EndpointSkim {

  /** Bound on the end of a response that is held, in bytes: some thousand end points. */
  public static final int MAX_TAIL_BYTES = 256 * 1024;

  private final NodeAddresses addresses;
  private final NodesSeen seen;
  private final ByteBufAllocator allocator;
  private final SkimWalk walk = new SkimWalk();

  private @Nullable SkimProgram program;
  private short key;
  private short version;
  private boolean lengthKept;

  private int left;

  private @Nullable ByteBuf held;
  private @Nullable ByteBuf tail;
  private int lengthChange;

  /**
   * @param addresses what to tell clients
   * @param seen is told what the responses said
   * @param allocator for the ends of responses that name end points
   */
  public EndpointSkim(NodeAddresses addresses, NodesSeen seen, ByteBufAllocator allocator) {
    this.addresses = addresses;
    this.seen = seen;
    this.allocator = allocator;
  }

  /**
   * Begins with a response; what was not finished before is abandoned.
   *
   * @param key the API of its request
   * @param version the version of its request; its response must be {@link ApiTreatment#SKIMMED}
   * @param bodyBytes the response without its length, in bytes
   * @param lengthKept whether the length of the whole must stay, since it was already forwarded
   */
  public void begin(short key, short version, int bodyBytes, boolean lengthKept) {
    abandon();
    program = SkimProgram.toEndPoints(key, version);
    this.key = key;
    this.version = version;
    this.lengthKept = lengthKept;
    walk.begin(key, version, bodyBytes);
    left = bodyBytes;
    lengthChange = 0;
  }

  /**
   * Takes the next bytes of the response's body. No index of the buffer is moved.
   *
   * @param from the first of them
   * @param to behind the last of them; not beyond the end of this response
   * @return how many of them, from the first on, are to be forwarded as they are; the others are
   *     held, or replaced by what {@link #takeTail} returns when all is done
   * @throws MalformedFrameException if the response does not parse: what follows could hold an
   *     address, so none of these bytes, and none after them, may be forwarded. Close both sides.
   */
  public int feed(ByteBuf in, int from, int to) throws MalformedFrameException {
    if (program == null || to - from > left) {
      throw new IllegalStateException(
          "expected at most " + left + " bytes of the response begun, found " + (to - from));
    }
    try {
      if (held != null) {
        hold(program, held, in, from, to);
        return 0;
      }
      var at = walk.walk(program, in, from, to);
      left -= to - from;
      return at == to ? to - from : reachTail(program, in, at, to) - from;
    } catch (MalformedFrameException e) {
      abandon();
      throw e;
    }
  }

  /** Whether all bytes of the response have been fed. */
  public boolean done() {
    return left == 0;
  }

  /** The end of the response as it must be forwarded; null if all of it was. The caller owns it. */
  public @Nullable ByteBuf takeTail() {
    var taken = tail;
    tail = null;
    return taken;
  }

  /** By how many bytes the response became longer: 0 if its length had to be kept. */
  public int lengthChange() {
    return lengthChange;
  }

  /** Gives back what is held, when the connection ends within a response. */
  public void abandon() {
    if (held != null) {
      held.release();
      held = null;
    }
    if (tail != null) {
      tail.release();
      tail = null;
    }
    program = null;
    left = 0;
  }

  /** Returns up to where the bytes are to be forwarded as they are. */
  private int reachTail(SkimProgram program, ByteBuf in, int at, int to)
      throws MalformedFrameException {
    var whole = walk.left();
    if (whole > MAX_TAIL_BYTES) {
      throw walk.malformed(whole + " bytes of end points, more than " + MAX_TAIL_BYTES);
    }
    if (left > 0) {
      held = allocator.buffer(whole, whole).writeBytes(in, at, to - at);
      return at;
    }
    tail = replaced(program, in, at, whole);
    return tail == null ? to : at;
  }

  private void hold(SkimProgram program, ByteBuf bytes, ByteBuf in, int from, int to)
      throws MalformedFrameException {
    bytes.writeBytes(in, from, to - from);
    left -= to - from;
    if (left == 0) {
      var replacement = replaced(program, bytes, 0, bytes.writerIndex());
      tail = replacement == null ? bytes.retain() : replacement;
      bytes.release();
      held = null;
    }
  }

  private @Nullable ByteBuf replaced(SkimProgram program, ByteBuf in, int from, int bytes)
      throws MalformedFrameException {
    if (EndpointTail.isEmpty(program.tagged, in, from, bytes)) {
      return null;
    }
    EndpointTail found;
    try {
      found = EndpointTail.read(program.tagged, in.nioBuffer(from, bytes));
    } catch (RuntimeException e) {
      throw new MalformedFrameException(key, version, "end points that do not parse", e);
    }
    if (found.nodes().isEmpty()) {
      return null;
    }
    var replaced = found.replaced(addresses, seen);
    var replacement =
        lengthKept ? replaced.writeWithin(bytes, allocator) : replaced.write(allocator);
    lengthChange = replacement.readableBytes() - bytes;
    return replacement;
  }
}
