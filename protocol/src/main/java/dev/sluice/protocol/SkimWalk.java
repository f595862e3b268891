package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Walks through a response that arrives in pieces, by a {@link SkimProgram}. A piece may end
 * anywhere, also within a number or a length. Nothing is allocated.
 */
final class SkimWalk {

  private static final int LAST_VARINT_SHIFT = 28;

  private final int[] repeats = new int[SkimProgram.MAX_DEPTH];

  private short key;
  private short version;
  private int bodyBytes;

  private int left;
  private int at;
  private int pc;
  private int depth;
  private int skip;
  private int varint;
  private int varintShift;

  void begin(short key, short version, int bodyBytes) {
    this.key = key;
    this.version = version;
    this.bodyBytes = bodyBytes;
    left = bodyBytes;
    pc = 0;
    depth = 0;
    skip = 0;
    varint = 0;
    varintShift = 0;
  }

  /** How many bytes of the response have not been walked over, in this piece or later ones. */
  int left() {
    return left;
  }

  /**
   * Walks over the next piece.
   *
   * @return where the end points may begin, or {@code to} if they do not begin in this piece
   */
  int walk(SkimProgram program, ByteBuf in, int from, int to) throws MalformedFrameException {
    at = from;
    go(program, in, to);
    if (left == 0) {
      throw malformed("an end before the end points");
    }
    return at;
  }

  MalformedFrameException malformed(String found) {
    return new MalformedFrameException(
        key, version, found + " at byte " + (bodyBytes - left) + " of " + bodyBytes);
  }

  /** Goes on until the bytes run out or the end points are reached. */
  private void go(SkimProgram program, ByteBuf in, int to) throws MalformedFrameException {
    while (true) {
      var step = Math.min(skip, to - at);
      consume(step);
      skip -= step;
      var operation = program.operation(pc);
      if (skip > 0 || operation == SkimProgram.TAIL) {
        return;
      }
      var argument = program.argument(pc);
      if (operation == SkimProgram.SKIP) {
        skip(argument);
        pc += 2;
      } else if (operation == SkimProgram.NEXT) {
        repeats[depth - 1]--;
        if (repeats[depth - 1] > 0) {
          pc = argument;
        } else {
          depth--;
          pc += 2;
        }
      } else if (at == to) {
        return;
      } else if (operation == SkimProgram.OPTIONAL) {
        pc = in.getByte(at) < 0 ? argument : pc + 2;
        consume(1);
      } else if (readVarint(in, to)) {
        obey(operation, argument, varint);
        varint = 0;
        varintShift = 0;
      }
    }
  }

  private void obey(int operation, int argument, int value) throws MalformedFrameException {
    switch (operation) {
      case SkimProgram.BYTES -> {
        skip(value == 0 ? 0 : value - 1);
        pc += 2;
      }
      case SkimProgram.SIZE -> {
        skip(value);
        pc += 2;
      }
      case SkimProgram.TAG -> pc += 2;
      case SkimProgram.ARRAY -> repeat(value == 0 ? 0 : value - 1, argument);
      case SkimProgram.TAGS -> repeat(value, argument);
      default -> throw new IllegalStateException("expected an operation, found " + operation);
    }
  }

  private void skip(int bytes) throws MalformedFrameException {
    if (bytes < 0 || bytes > left) {
      throw malformed("a field of " + Integer.toUnsignedString(bytes) + " bytes");
    }
    skip = bytes;
  }

  /** Everything that is repeated takes a byte at least. */
  private void repeat(int times, int behind) throws MalformedFrameException {
    if (times < 0 || times > left) {
      throw malformed("an array of " + Integer.toUnsignedString(times));
    }
    if (times == 0) {
      pc = behind;
      return;
    }
    repeats[depth++] = times;
    pc += 2;
  }

  /** Whether the number is complete; it may be split anywhere. */
  private boolean readVarint(ByteBuf in, int to) throws MalformedFrameException {
    while (at < to) {
      var next = in.getByte(at);
      consume(1);
      varint |= (next & 0x7f) << varintShift;
      if (next >= 0) {
        return true;
      }
      varintShift += 7;
      if (varintShift > LAST_VARINT_SHIFT) {
        throw malformed("a number of more than five bytes");
      }
    }
    return false;
  }

  private void consume(int bytes) {
    at += bytes;
    left -= bytes;
  }
}
