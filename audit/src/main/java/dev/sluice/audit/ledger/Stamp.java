package dev.sluice.audit.ledger;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Optional;

/**
 * What stands in the value of every record: {@code producer sequence padding}, ASCII, so that a
 * client in any language can write and read it. The padding is a letter that follows from the
 * number, so that a value with other bytes is found.
 *
 * @param producer who wrote it; no space in it
 * @param sequence its number, from 0, one more for each record of the producer over all partitions
 */
public record Stamp(String producer, long sequence) {

  private static final int LETTERS = 26;
  private static final int LONGEST_SEQUENCE = 18;

  /** The value of this record, {@code size} bytes long, or longer where the stamp needs more. */
  public byte[] value(int size) {
    byte[] head = (producer + " " + sequence + " ").getBytes(US_ASCII);
    byte[] value = Arrays.copyOf(head, Math.max(size, head.length));
    Arrays.fill(value, head.length, value.length, padding(sequence));
    return value;
  }

  /** The key of this record: some keys that come again, spread over partitions. */
  public byte[] key() {
    return ("k" + sequence % 101).getBytes(US_ASCII);
  }

  /** What stands in a value; nothing if these are not the bytes that were written. */
  public static Optional<Stamp> read(byte[] value) {
    int first = indexOfSpace(value, 0);
    int second = first < 0 ? -1 : indexOfSpace(value, first + 1);
    if (first < 1 || second <= first + 1 || second - first - 1 > LONGEST_SEQUENCE) {
      return Optional.empty();
    }
    long sequence = 0;
    for (int i = first + 1; i < second; i++) {
      int digit = value[i] - '0';
      if (digit < 0 || digit > 9) {
        return Optional.empty();
      }
      sequence = sequence * 10 + digit;
    }
    byte padding = padding(sequence);
    for (int i = second + 1; i < value.length; i++) {
      if (value[i] != padding) {
        return Optional.empty();
      }
    }
    return Optional.of(new Stamp(new String(value, 0, first, US_ASCII), sequence));
  }

  private static int indexOfSpace(byte[] value, int from) {
    for (int i = from; i < value.length; i++) {
      if (value[i] == ' ') {
        return i;
      }
    }
    return -1;
  }

  private static byte padding(long sequence) {
    return (byte) ('a' + sequence % LETTERS);
  }
}
