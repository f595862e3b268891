package dev.sluice.app.configuration;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The known name that somebody who wrote another one probably meant. */
final class Nearest {

  private Nearest() {}

  /** Empty if none is near: more than a third of the characters would have to change. */
  static Optional<String> to(String written, Collection<String> known) {
    return known.stream()
        .flatMap(name -> near(name, distance(lower(written), lower(name)), written.length()))
        .min(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
        .map(Near::name);
  }

  private record Near(String name, int distance) {}

  private static Stream<Near> near(String name, int distance, int length) {
    var most = Math.max(2, Math.max(name.length(), length) / 3);
    return distance <= most ? Stream.of(new Near(name, distance)) : Stream.empty();
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Levenshtein: insertions, deletions and replacements. */
  private static int distance(String a, String b) {
    var previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      var current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        var replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
