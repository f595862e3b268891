package dev.sluice.bench;

import java.util.List;
import java.util.Locale;

/**
 * The middle of some numbers, and between which of them the median of all that could have been
 * found lies with a probability of at least 95 %, if so few numbers can tell: the interval of the
 * sign test, which assumes nothing about how the numbers are distributed. Up to eight numbers it
 * reaches from the least to the most; with seven its probability is 98.4 %, with three 75 %.
 *
 * @param confidence that probability, from 0 to 1
 */
record Interval(double median, double from, double to, double confidence) {

  private static final double WANTED = 0.95;

  static Interval of(List<Double> numbers) {
    if (numbers.isEmpty()) {
      throw new IllegalArgumentException("Expected at least one number, found none");
    }
    var sorted = numbers.stream().sorted().toList();
    int count = sorted.size();
    double median =
        count % 2 == 1
            ? sorted.get(count / 2)
            : (sorted.get(count / 2 - 1) + sorted.get(count / 2)) / 2;
    int off = 0;
    while (2 * (off + 1) < count && confidence(count, off + 1) >= WANTED) {
      off++;
    }
    return new Interval(
        median, sorted.get(off), sorted.get(count - 1 - off), confidence(count, off));
  }

  /** That as many tosses of a coin give more than {@code off} heads, and more than that tails. */
  private static double confidence(int count, int off) {
    double outside = 0;
    double ways = 1;
    for (int heads = 0; heads <= off; heads++) {
      outside += ways;
      ways = ways * (count - heads) / (heads + 1);
    }
    return Math.max(0, 1 - 2 * outside / Math.pow(2, count));
  }

  /** As in {@code 0.85 (0.81–0.92)}. */
  String shown(int decimals) {
    String number = "%." + decimals + "f";
    return String.format(
        Locale.ROOT, number + " (" + number + "–" + number + ")", median, from, to);
  }

  /** As in {@code +0.12 (−0.03 to +0.30)}. */
  String shownSigned(int decimals) {
    String number = "%+." + decimals + "f";
    return String.format(
            Locale.ROOT, number + " (" + number + " to " + number + ")", median, from, to)
        .replace('-', '−');
  }
}
