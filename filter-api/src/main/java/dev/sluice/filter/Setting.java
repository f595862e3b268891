package dev.sluice.filter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be set: its name, its type, and what is allowed. Declared once, as a constant,
 * and used to look the value up in {@link Settings}.
 *
 * <pre>{@code
 * static final Setting<Long> LARGEST =
 *     Setting.size("maxRecordSize", "The largest record that is taken.")
 *         .orElse(1L << 20)
 *         .checked(bytes -> bytes > 0, "more than 0 bytes");
 * }</pre>
 *
 * @param <T> of the value
 */
public final class Setting<T> {

  /** How a value is written in a configuration, and what it is in Java. */
  public enum Kind {
    /** {@code String} */
    TEXT(String.class, "a text"),
    /** {@code List<String>} */
    TEXTS(List.class, "a list of texts"),
    /** {@code Long}: a whole number. */
    NUMBER(Long.class, "a whole number"),
    /** {@code Long}, in bytes: written {@code 1048576}, {@code 64KiB}, {@code 1MiB}. */
    SIZE(Long.class, "a size such as 64KiB"),
    /** {@code Duration}: written {@code 1m30s}, {@code 500ms}. */
    DURATION(Duration.class, "a duration such as 10s"),
    /** {@code Boolean} */
    SWITCH(Boolean.class, "true or false");

    private final Class<?> type;
    private final String inWords;

    Kind(Class<?> type, String inWords) {
      this.type = type;
      this.inWords = inWords;
    }

    /** Goes on from "expected". */
    public String inWords() {
      return inWords;
    }
  }

  private final String name;
  private final Kind kind;
  private final String description;
  private final @Nullable T fallback;
  private final Predicate<T> fits;
  private final String expected;

  private Setting(
      String name,
      Kind kind,
      String description,
      @Nullable T fallback,
      Predicate<T> fits,
      String expected) {
    this.name = name;
    this.kind = kind;
    this.description = description;
    this.fallback = fallback;
    this.fits = fits;
    this.expected = expected;
  }

  /** A text. */
  public static Setting<String> text(String name, String description) {
    return simple(name, Kind.TEXT, description);
  }

  /** A list of texts. */
  public static Setting<List<String>> texts(String name, String description) {
    return simple(name, Kind.TEXTS, description);
  }

  /** A whole number. */
  public static Setting<Long> number(String name, String description) {
    return simple(name, Kind.NUMBER, description);
  }

  /** A number of bytes. */
  public static Setting<Long> size(String name, String description) {
    return simple(name, Kind.SIZE, description);
  }

  /** A duration. */
  public static Setting<Duration> duration(String name, String description) {
    return simple(name, Kind.DURATION, description);
  }

  /** Yes or no. */
  public static Setting<Boolean> onOff(String name, String description) {
    return simple(name, Kind.SWITCH, description);
  }

  private static <T> Setting<T> simple(String name, Kind kind, String description) {
    return new Setting<>(name, kind, description, null, _ -> true, kind.inWords());
  }

  /** This one, which need not be set. */
  public Setting<T> orElse(T value) {
    return new Setting<>(name, kind, description, value, fits, expected);
  }

  /**
   * This one, with a check.
   *
   * @param expected goes on from "expected": {@code a number from 1 to 10}
   */
  public Setting<T> checked(Predicate<T> fits, String expected) {
    return new Setting<>(name, kind, description, fallback, fits, expected);
  }

  /** The key in the configuration, in lower camel case. */
  public String name() {
    return name;
  }

  /** How it is written. */
  public Kind kind() {
    return kind;
  }

  /** What it is for: a sentence. */
  public String description() {
    return description;
  }

  /** Whether a configuration must have it. */
  public boolean isRequired() {
    return fallback == null;
  }

  /** What it is if it is not set; null for one that is required. */
  @Nullable T fallback() {
    return fallback;
  }

  /** What is wrong with a value, going on from "expected"; empty if nothing is. */
  public Optional<String> objection(Object value) {
    return kind.type.isInstance(value) && fits.test(typed(value))
        ? Optional.empty()
        : Optional.of(expected);
  }

  /** {@link #kind} says which type it has; {@link #objection} has looked. */
  @SuppressWarnings("unchecked")
  T typed(Object value) {
    return (T) value;
  }
}
