package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Walks forward over the fields of a request head. When the bytes run out it stays {@link
 * #starved}, with {@link #at} where the field that was wanted would end; every later step does
 * nothing.
 */
final class Cursor {

  private static final ByteBuf NOTHING = Unpooled.EMPTY_BUFFER;

  private ByteBuf in = NOTHING;
  private int end;

  int at;
  boolean starved;
  boolean malformed;

  /** The buffer is let go of by {@link #finish()}. */
  void begin(ByteBuf from, int index, int to) {
    in = from;
    at = index;
    end = to;
    starved = false;
    malformed = false;
  }

  void finish() {
    in = NOTHING;
  }

  /** A string behind an int16 length; -1 is null. Returns whether it is there. */
  boolean skipString() {
    var length = readShort();
    if (length < -1) {
      malformed = true;
    }
    skip(Math.max(length, 0));
    return length >= 0;
  }

  /** A string behind its length plus one; 0 is null. Returns whether it is there. */
  boolean skipCompactString() {
    var length = readUnsignedVarint() - 1;
    if (length > RequestPeek.MAX_ID_BYTES || length < -1) {
      malformed = true;
    }
    skip(Math.max(length, 0));
    return length >= 0;
  }

  /** Tagged fields: how many, then each with its tag and size (KIP-482). */
  void skipTags() {
    var start = at;
    for (var left = readUnsignedVarint(); left != 0 && going(); left--) {
      readUnsignedVarint();
      var size = readUnsignedVarint();
      if (size < 0 || size > RequestPeek.MAX_HEADER_TAG_BYTES - (at - start) || left < 0) {
        malformed = true;
      }
      skip(size);
    }
  }

  short readShort() {
    skip(Short.BYTES);
    return going() ? in.getShort(at - Short.BYTES) : 0;
  }

  int readInt() {
    skip(Integer.BYTES);
    return going() ? in.getInt(at - Integer.BYTES) : 0;
  }

  int readUnsignedVarint() {
    var value = 0;
    for (var shift = 0; shift < 35; shift += 7) {
      skip(1);
      if (!going()) {
        return 0;
      }
      var next = in.getByte(at - 1);
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    malformed = true;
    return 0;
  }

  void skip(int bytes) {
    if (going()) {
      at += bytes;
      starved = at > end;
    }
  }

  /** Whether all that was wanted was there so far. */
  boolean going() {
    return !starved && !malformed;
  }
}
