package dev.sluice.app.configuration;

/**
 * Something that is wrong, or doubtful, in a configuration.
 *
 * @param severity an error keeps the configuration from being used
 * @param path of the value concerned, such as {@code virtualClusters[0].name}; empty for the whole
 *     document
 * @param line from 1
 * @param column from 1
 * @param message what was expected, what was found; never a secret
 */
public record Finding(Severity severity, String path, int line, int column, String message) {

  /** Whether a configuration with such a finding can be used. */
  public enum Severity {
    ERROR,
    WARNING
  }

  /** One line as compilers print it, which editors can follow. */
  public String inFile(String file) {
    var kind = severity == Severity.WARNING ? "warning: " : "";
    var place = path.isEmpty() ? "" : path + ": ";
    return file + ":" + line + ":" + column + ": " + kind + place + message;
  }
}
