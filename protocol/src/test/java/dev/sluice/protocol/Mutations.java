package dev.sluice.protocol;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Changes of bytes that parsers stumble over: lengths and counts that are too large, too small or
 * negative, parts that are missing, there twice, or of something else.
 */
public final class Mutations {

  /** What a 32-bit length or count becomes. */
  private static final int[] LENGTHS = {
    -1, -2, 0, 1, 127, 128, 65_535, 65_536, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE
  };

  /** Unsigned varints: -1 as a length, the largest, one of too many bytes. */
  private static final byte[][] VARINTS = {
    {0},
    {1},
    {(byte) 0x80, 1},
    {(byte) 0xFF, (byte) 0xFF, 3},
    {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7},
    {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 15},
    {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 1},
  };

  /** The most bytes that one change puts in or takes out. */
  private static final int MOST_MOVED = 64;

  private static final int MOST_CHANGES = 4;

  private final RandomGenerator random;

  public Mutations(RandomGenerator random) {
    this.random = random;
  }

  /**
   * A frame with one or a few changes; in most the length before it is set right again, so that
   * what is behind it is looked at.
   *
   * @param other where parts of something else come from
   */
  public byte[] changed(byte[] frame, byte[] other) {
    var changed = frame;
    for (int left = 1 + random.nextInt(MOST_CHANGES); left > 0; left--) {
      changed = once(changed, other);
    }
    if (random.nextInt(4) > 0 && changed.length >= Integer.BYTES) {
      changed = changed.clone();
      write(changed, 0, changed.length - Integer.BYTES);
    }
    return changed;
  }

  private byte[] once(byte[] frame, byte[] other) {
    if (frame.length == 0) {
      return other.clone();
    }
    int at = random.nextInt(frame.length);
    int count = Math.min(frame.length - at, 1 + random.nextInt(MOST_MOVED));
    return switch (random.nextInt(8)) {
      case 0 -> replaced(frame, at, 1, new byte[] {(byte) random.nextInt()});
      case 1 -> replaced(frame, at, 1, new byte[] {(byte) (frame[at] ^ (1 << random.nextInt(8)))});
      case 2 -> replaced(frame, at, Integer.BYTES, length(frame.length));
      case 3 -> replaced(frame, at, 1, VARINTS[random.nextInt(VARINTS.length)]);
      case 4 -> replaced(frame, at, count, new byte[0]);
      case 5 -> replaced(frame, at, 0, Arrays.copyOfRange(frame, at, at + count));
      case 6 -> replaced(frame, at, count, part(other));
      default -> Arrays.copyOf(frame, at);
    };
  }

  private byte[] length(int bytes) {
    int one = random.nextInt(LENGTHS.length + 2);
    var length = new byte[Integer.BYTES];
    write(length, 0, one < LENGTHS.length ? LENGTHS[one] : bytes + one - LENGTHS.length);
    return length;
  }

  private byte[] part(byte[] of) {
    if (of.length == 0) {
      return of;
    }
    int from = random.nextInt(of.length);
    return Arrays.copyOfRange(of, from, Math.min(of.length, from + MOST_MOVED));
  }

  private static byte[] replaced(byte[] frame, int at, int count, byte[] by) {
    int after = Math.min(frame.length, at + count);
    var changed = new byte[frame.length - (after - at) + by.length];
    System.arraycopy(frame, 0, changed, 0, at);
    System.arraycopy(by, 0, changed, at, by.length);
    System.arraycopy(frame, after, changed, at + by.length, frame.length - after);
    return changed;
  }

  private static void write(byte[] into, int at, int value) {
    for (int i = 0; i < Integer.BYTES; i++) {
      into[at + i] = (byte) (value >>> ((Integer.BYTES - 1 - i) * Byte.SIZE));
    }
  }
}
