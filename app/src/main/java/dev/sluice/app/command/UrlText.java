package dev.sluice.app.command;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Text as a segment of a path. */
final class UrlText {

  private UrlText() {}

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
