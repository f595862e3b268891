package dev.sluice.planner.reading;

import java.time.Instant;
import java.util.Objects;
import java.util.function.Function;

/**
 * One thing that was looked at. Each fact is bounded and fails alone, so that a server that does
 * not answer costs the facts about it and nothing else.
 *
 * @param <T> what is known when it is known
 */
public sealed interface Fact<T> {

  /**
   * It was seen.
   *
   * @param value what was seen
   * @param takenAt when it was seen; the beginning of the look, not its end
   */
  record Known<T>(T value, Instant takenAt) implements Fact<T> {
    public Known {
      Objects.requireNonNull(value, "value");
      Objects.requireNonNull(takenAt, "takenAt");
    }
  }

  /**
   * It could not be seen, or nobody looked. Silence is never good news and never bad news.
   *
   * @param why a clause that can follow a colon, such as "no answer within 10s"
   */
  record Missing<T>(String why) implements Fact<T> {
    public Missing {
      if (why.isBlank()) {
        throw new IllegalArgumentException(
            "expected a reason why the fact is missing, found none; say who did not answer");
      }
    }
  }

  static <T> Fact<T> known(T value, Instant takenAt) {
    return new Known<>(value, takenAt);
  }

  static <T> Fact<T> missing(String why) {
    return new Missing<>(why);
  }

  /**
   * The same fact, unless it is too old to decide on.
   *
   * @param oldest the earliest instant that is still young enough
   */
  default Fact<T> notBefore(Instant oldest) {
    return switch (this) {
      case Known<T>(_, Instant takenAt) when takenAt.isBefore(oldest) ->
          new Missing<>("the reading of " + takenAt + " is too old to decide on");
      case Known<T> known -> known;
      case Missing<T> missing -> missing;
    };
  }

  /** The fact about a part of what was seen. */
  default <U> Fact<U> map(Function<T, U> part) {
    return switch (this) {
      case Known<T>(T value, Instant takenAt) -> new Known<>(part.apply(value), takenAt);
      case Missing<T>(String why) -> new Missing<>(why);
    };
  }
}
