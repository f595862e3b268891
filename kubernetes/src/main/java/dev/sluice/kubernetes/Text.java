package dev.sluice.kubernetes;

import java.nio.charset.StandardCharsets;

/** Pieces of sentences. */
final class Text {

  /** Of a message of somebody else in a sentence of ours. */
  private static final int QUOTED_MAX_CHARS = 400;

  private static final String ELLIPSIS = "…";

  private Text() {}

  static String inBrackets(String text) {
    return text.isBlank() ? "" : " (" + text.strip() + ")";
  }

  static String afterColon(String text) {
    return text.isBlank() ? "" : ": " + quoted(text);
  }

  /** On one line, and of bounded length. */
  static String quoted(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.codePointCount(0, line.length()) <= QUOTED_MAX_CHARS
        ? line
        : line.substring(0, line.offsetByCodePoints(0, QUOTED_MAX_CHARS)) + ELLIPSIS;
  }

  /** The beginning that fits into so many bytes of UTF-8, cut between two characters. */
  static String cut(String text, int bytesMax) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= bytesMax) {
      return text;
    }
    int left = bytesMax - ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;
    int end = 0;
    while (end < text.length()) {
      int character = text.codePointAt(end);
      left -= Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
      if (left < 0) {
        break;
      }
      end += Character.charCount(character);
    }
    return text.substring(0, end) + ELLIPSIS;
  }
}
