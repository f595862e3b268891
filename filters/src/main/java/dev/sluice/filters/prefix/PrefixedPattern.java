package dev.sluice.filters.prefix;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions that the broker matches against whole names: a tenant's, made to match the
 * same of the tenant's names and no others.
 *
 * <p>Brokers use RE2/J, and so does this: only an expression that is one by itself is put behind
 * the prefix, so that none can close the brackets around it and reach other tenants' names.
 */
final class PrefixedPattern {

  /** Bound on a pattern, in characters: brackets nest as deep as a stack allows. */
  static final int MAX_LENGTH = 4_096;

  private static final String OPEN = "\\E(?:";
  private static final String EMPTY = "(?:)";

  private final String pattern;
  private final StringBuilder out = new StringBuilder();

  private PrefixedPattern(String pattern) {
    this.pattern = pattern;
  }

  /**
   * For the broker.
   *
   * @throws PatternSyntaxException if it is no regular expression
   */
  static String out(Prefix prefix, String pattern) {
    if (pattern.length() > MAX_LENGTH) {
      throw new PatternSyntaxException(
          "expected at most " + MAX_LENGTH + " characters, found " + pattern.length());
    }
    Pattern.compile(pattern);
    var out = "\\Q" + prefix.text() + OPEN + new PrefixedPattern(pattern).unanchored() + ")";
    Pattern.compile(out);
    return out;
  }

  /** For the tenant; what is not of the tenant is not told. */
  static @Nullable String in(Prefix prefix, @Nullable String pattern) {
    var open = "\\Q" + prefix.text() + OPEN;
    return pattern != null && pattern.startsWith(open) && pattern.endsWith(")")
        ? pattern.substring(open.length(), pattern.length() - 1)
        : null;
  }

  /**
   * Without the anchors at the beginning, which is not the beginning any more, and which say
   * nothing where whole names are matched.
   */
  private String unanchored() {
    alternatives(0, true);
    return out.toString();
  }

  /**
   * Copies alternatives up to their end.
   *
   * @param first whether they stand at the beginning
   * @return behind the last character that was copied
   */
  private int alternatives(int from, boolean first) {
    int at = from;
    boolean beginning = first;
    while (at < pattern.length() && pattern.charAt(at) != ')') {
      char c = pattern.charAt(at);
      if (beginning && anchorLength(at) > 0) {
        out.append(EMPTY);
        at += anchorLength(at);
      } else if (c == '|') {
        at = copy(at, at + 1);
        beginning = first;
      } else if (c == '(') {
        int inside = copy(at, groupOpened(at));
        boolean flagsOnly = out.charAt(out.length() - 1) == ')';
        at = flagsOnly ? inside : closed(alternatives(inside, beginning));
        beginning = beginning && flagsOnly;
      } else {
        at = copy(at, elementEnd(at));
        beginning = false;
      }
    }
    return at;
  }

  private int closed(int at) {
    return at < pattern.length() ? copy(at, at + 1) : at;
  }

  private int anchorLength(int at) {
    if (pattern.charAt(at) == '^') {
      return 1;
    }
    return pattern.startsWith("\\A", at) ? 2 : 0;
  }

  /** Behind {@code (}, {@code (?:}, {@code (?i:}, {@code (?P<name>} or all of {@code (?i)}. */
  private int groupOpened(int at) {
    if (!pattern.startsWith("(?", at)) {
      return at + 1;
    }
    int end = at + 2;
    while (end < pattern.length() && ":)>".indexOf(pattern.charAt(end)) < 0) {
      end++;
    }
    return Math.min(end + 1, pattern.length());
  }

  /** Behind a character, an escaped one, a class, or a quotation. */
  private int elementEnd(int at) {
    if (pattern.startsWith("\\Q", at)) {
      int end = pattern.indexOf("\\E", at);
      return end < 0 ? pattern.length() : end + 2;
    }
    return switch (pattern.charAt(at)) {
      case '\\' -> Math.min(at + 2, pattern.length());
      case '[' -> classEnd(at);
      default -> at + 1;
    };
  }

  private int classEnd(int at) {
    int end = at + 1;
    if (pattern.startsWith("^", end)) {
      end++;
    }
    if (pattern.startsWith("]", end)) {
      end++;
    }
    while (end < pattern.length() && pattern.charAt(end) != ']') {
      end = classElementEnd(end);
    }
    return Math.min(end + 1, pattern.length());
  }

  private int classElementEnd(int at) {
    if (pattern.startsWith("[:", at)) {
      int end = pattern.indexOf(":]", at);
      return end < 0 ? at + 1 : end + 2;
    }
    return Math.min(at + (pattern.charAt(at) == '\\' ? 2 : 1), pattern.length());
  }

  private int copy(int from, int to) {
    out.append(pattern, from, to);
    return to;
  }
}
