package dev.sluice.app.configuration;

import com.fasterxml.jackson.databind.JsonNode;

/** How a value reads in a message. */
final class Shown {

  private static final int MAX_CHARACTERS = 60;

  private Shown() {}

  static String of(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "a mapping";
      case ARRAY -> value.isEmpty() ? "an empty list" : "a list";
      case NULL, MISSING -> "nothing";
      case STRING -> "'" + shortened(value.asText()) + "'";
      default -> shortened(value.asText());
    };
  }

  private static String shortened(String text) {
    var line = text.replaceAll("\\s+", " ");
    return line.length() <= MAX_CHARACTERS ? line : line.substring(0, MAX_CHARACTERS) + "...";
  }
}
