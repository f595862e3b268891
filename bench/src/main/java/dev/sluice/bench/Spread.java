package dev.sluice.bench;

import java.util.List;
import java.util.Locale;

/** The middle of some numbers, and how far they lie apart. */
record Spread(double median, double least, double most) {

  static Spread of(List<Double> numbers) {
    if (numbers.isEmpty()) {
      throw new IllegalArgumentException("Expected at least one number, found none");
    }
    var sorted = numbers.stream().sorted().toList();
    int half = sorted.size() / 2;
    double median =
        sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    return new Spread(median, sorted.getFirst(), sorted.getLast());
  }

  /** As in {@code 0.85 (0.81–0.92)}. */
  String shown(int decimals) {
    String number = "%." + decimals + "f";
    return String.format(
        Locale.ROOT, number + " (" + number + "–" + number + ")", median, least, most);
  }
}
