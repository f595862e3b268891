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
  private int number;
  private int numberBits;

  void begin(short key, short version, int bodyBytes) {
    this.key = key;
    this.version = version;
    this.bodyBytes = bodyBytes;
    left = bodyBytes;
    pc = 0;
    depth = 0;
    skip = 0;
    number = 0;
    numberBits = 0;
  }

  /** How many bytes of the response have not been walked over, in this piece or later ones. */
  int left() {
    return left;
  }

  /**
   * Walks over the next piece.
   *
   * @return where the field begins, or {@code to} if it does not begin in this piece
   */
  int walk(SkimProgram program, ByteBuf in, int from, int to) throws MalformedFrameException {
    at = from;
    go(program, in, to);
    if (left == 0) {
      throw malformed("an end before the field that all have");
    }
    return at;
  }

  MalformedFrameException malformed(String found) {
    return new MalformedFrameException(
        key, version, found + " at byte " + (bodyBytes - left) + " of " + bodyBytes);
  }

  /** Goes on until the bytes run out or the field is reached. */
  private void go(SkimProgram program, ByteBuf in, int to) throws MalformedFrameException {
    while (true) {
      var step = Math.min(skip, to - at);
      consume(step);
      skip -= step;
      var operation = program.operation(pc);
      if (skip > 0 || operation == SkimProgram.HERE) {
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
      } else if (operation == SkimProgram.PLAIN) {
        passPlain(in, to, argument, program.argument(pc + 2));
        pc += 4;
      } else if (at == to) {
        return;
      } else if (operation == SkimProgram.OPTIONAL) {
        pc = in.getByte(at) < 0 ? argument : pc + 2;
        consume(1);
      } else if (readNumber(operation, in, to)) {
        obey(operation, argument, number);
        number = 0;
        numberBits = 0;
      }
    }
  }

  /** One look at each of many elements, as a rule, in place of one at each of their fields. */
  private void passPlain(ByteBuf in, int to, int bytes, int empty) {
    var times = repeats[depth - 1];
    var next = at;
    while (times > 1
        && to - next >= bytes
        && (in.getInt(next + bytes - Integer.BYTES) & empty) == 0) {
      next += bytes;
      times--;
    }
    repeats[depth - 1] = times;
    consume(next - at);
  }

  private void obey(int operation, int argument, int value) throws MalformedFrameException {
    switch (operation) {
      case SkimProgram.BYTES -> {
        skip(value == 0 ? 0 : value - 1);
        pc += 2;
      }
      case SkimProgram.BYTES_16, SkimProgram.BYTES_32 -> {
        skip(value == -1 ? 0 : value);
        pc += 2;
      }
      case SkimProgram.SIZE -> {
        skip(value);
        pc += 2;
      }
      case SkimProgram.TAG -> pc += 2;
      case SkimProgram.ARRAY -> repeat(value == 0 ? 0 : value - 1, argument);
      case SkimProgram.ARRAY_32 -> repeat(value == -1 ? 0 : value, argument);
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
  private boolean readNumber(int operation, ByteBuf in, int to) throws MalformedFrameException {
    return switch (operation) {
      case SkimProgram.BYTES_16 -> readFixed(Short.SIZE, in, to);
      case SkimProgram.BYTES_32, SkimProgram.ARRAY_32 -> readFixed(Integer.SIZE, in, to);
      default -> readVarint(in, to);
    };
  }

  private boolean readFixed(int bits, ByteBuf in, int to) {
    while (at < to && numberBits < bits) {
      number = (number << Byte.SIZE) | (in.getByte(at) & 0xff);
      numberBits += Byte.SIZE;
      consume(1);
    }
    if (numberBits < bits) {
      return false;
    }
    number = bits == Short.SIZE ? (short) number : number;
    return true;
  }

  private boolean readVarint(ByteBuf in, int to) throws MalformedFrameException {
    while (at < to) {
      var next = in.getByte(at);
      consume(1);
      number |= (next & 0x7f) << numberBits;
      if (next >= 0) {
        return true;
      }
      numberBits += 7;
      if (numberBits > LAST_VARINT_SHIFT) {
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
