package dev.sluice.app.configuration;

import java.util.regex.Pattern;

/** The path of a value as a person writes it: {@code virtualClusters[0].name}. */
final class ValuePath {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");

  /** A password, also where somebody has written it in the place of the mapping around it. */
  private static final Pattern SECRET = Pattern.compile(".*[pP]assword(\\.password)?");

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

  /** Whether what stands there must not be shown. */
  static boolean isSecret(String path) {
    return SECRET.matcher(path).matches();
  }
}
