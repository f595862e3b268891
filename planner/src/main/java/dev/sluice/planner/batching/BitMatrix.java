package dev.sluice.planner.batching;

/** Symmetric, square, with an empty diagonal. A million pairs take 125 KB. */
final class BitMatrix {

  final int width;
  private final long[] words;

  BitMatrix(int size) {
    width = (size + 63) >>> 6;
    words = new long[size * width];
  }

  void set(int one, int other) {
    if (one != other) {
      words[one * width + (other >>> 6)] |= 1L << other;
      words[other * width + (one >>> 6)] |= 1L << one;
    }
  }

  boolean get(int one, int other) {
    return (words[one * width + (other >>> 6)] & (1L << other)) != 0;
  }

  /** The first set column of a row from a column on; -1 when there is none. */
  int next(int row, int from) {
    int word = from >>> 6;
    if (word >= width) {
      return -1;
    }
    long bits = words[row * width + word] & (-1L << from);
    while (bits == 0) {
      if (++word == width) {
        return -1;
      }
      bits = words[row * width + word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  int count(int row) {
    int count = 0;
    for (int word = row * width; word < (row + 1) * width; word++) {
      count += Long.bitCount(words[word]);
    }
    return count;
  }

  void copy(BitMatrix from) {
    System.arraycopy(from.words, 0, words, 0, words.length);
  }
}
