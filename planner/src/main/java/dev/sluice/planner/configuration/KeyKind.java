package dev.sluice.planner.configuration;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka says about one of its keys.
 *
 * @param scope where it can change while running
 * @param form how its text is to be read
 * @param defaultValue as text; null when there is none
 * @param forControllers whether a server that is only a controller reads it
 * @param forBrokers whether a server that is only a broker reads it
 */
public record KeyKind(
    Scope scope,
    Form form,
    @Nullable String defaultValue,
    boolean forControllers,
    boolean forBrokers) {

  public KeyKind {
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(form, "form");
  }

  /** How the text of a value is to be read before two are compared. */
  public enum Form {
    BOOLEAN,
    NUMBER,
    LIST,
    TEXT,
    /** Never told by Kafka, so never compared, and never printed. */
    SECRET;

    /** Whether two texts mean the same: {@code 1.024E8} is {@code 102400000}. */
    boolean same(String one, String other) {
      String left = one.strip();
      String right = other.strip();
      if (left.equals(right)) {
        return true;
      }
      return switch (this) {
        case BOOLEAN -> left.equalsIgnoreCase(right);
        case NUMBER -> sameNumber(left, right);
        case LIST -> withoutSpaces(left).equals(withoutSpaces(right));
        case TEXT, SECRET -> false;
      };
    }

    private static boolean sameNumber(String left, String right) {
      try {
        boolean whole = isWhole(left) && isWhole(right);
        return whole
            ? Long.parseLong(left) == Long.parseLong(right)
            : Double.compare(Double.parseDouble(left), Double.parseDouble(right)) == 0;
      } catch (NumberFormatException _) {
        return false; // not numbers after all, and their texts differ
      }
    }

    private static boolean isWhole(String text) {
      return text.chars().allMatch(c -> c == '-' || c == '+' || (c >= '0' && c <= '9'));
    }

    private static String withoutSpaces(String list) {
      return list.replaceAll("\\s*,\\s*", ",");
    }
  }
}
