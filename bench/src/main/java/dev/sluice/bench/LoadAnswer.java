package dev.sluice.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the JVM with the clients says of something that it has done. All figures are of the part
 * that counts, without the lead.
 *
 * @param seconds it took
 * @param cpuSeconds of the arm's process meanwhile; NaN if there is none
 * @param more figures, as the verb has them
 */
record LoadAnswer(double seconds, double cpuSeconds, List<Double> more) {

  private static final int FIRST_MORE = 2;

  LoadAnswer {
    more = List.copyOf(more);
  }

  LoadAnswer(double seconds, double cpuSeconds) {
    this(seconds, cpuSeconds, List.of());
  }

  LoadAnswer with(Double... figures) {
    return new LoadAnswer(seconds, cpuSeconds, List.of(figures));
  }

  String line() {
    var words = new ArrayList<>(List.of(Double.toString(seconds), Double.toString(cpuSeconds)));
    more.forEach(figure -> words.add(Double.toString(figure)));
    return String.join(" ", words);
  }

  static LoadAnswer parse(String line) {
    var figures = Arrays.stream(line.split(" ", -1)).map(Double::valueOf).toList();
    return new LoadAnswer(
        figures.get(0), figures.get(1), figures.subList(FIRST_MORE, figures.size()));
  }
}
