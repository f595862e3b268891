package dev.sluice.proxy;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Things in a sentence: the first few by name, the others by number. */
final class Listed {

  /** How many are named at most. */
  private static final int MAX_NAMED = 5;

  private Listed() {}

  static String of(List<?> things) {
    return of(things, Object::toString);
  }

  static <T> String of(List<T> things, Function<? super T, String> inWords) {
    return of(things, inWords, things.size());
  }

  /**
   * Some of more.
   *
   * @param total how many there are, at least
   */
  static String of(List<?> things, int total) {
    return of(things, Object::toString, Math.max(total, things.size()));
  }

  private static <T> String of(List<T> things, Function<? super T, String> inWords, int total) {
    int more = total - Math.min(things.size(), MAX_NAMED);
    return things.stream().limit(MAX_NAMED).map(inWords).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
