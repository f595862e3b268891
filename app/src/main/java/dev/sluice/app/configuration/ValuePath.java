package dev.sluice.app.configuration;

import java.util.regex.Pattern;

/** The path of a value as a person writes it: {@code virtualClusters[0].name}. */
final class ValuePath {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

  private ValuePath() {}

  static String child(String path, String key) {
    if (!PLAIN.matcher(key).matches()) {
      return path + "['" + key + "']";
    }
    return path.isEmpty() ? key : path + "." + key;
  }

  static String child(String path, int index) {
    return path + "[" + index + "]";
  }
}
