package dev.sluice.proxy.tls;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keys or certificates cannot be used. The message is a sentence that begins with the key of the
 * configuration, from {@code tls} on, and tells no secret.
 */
public final class TlsMaterialException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String sentence;

  TlsMaterialException(String message) {
    super(message);
    this.sentence = message;
  }

  /** The message. */
  public String sentence() {
    return sentence;
  }

  static TlsMaterialException unreadable(String key, Path file) {
    var found =
        Files.isDirectory(file)
            ? "a directory"
            : Files.exists(file) ? "one that this process may not read" : "none";
    return new TlsMaterialException(
        "expected %s to be a file that can be read, found %s at %s; correct the path, or put it there"
            .formatted(key, found, file));
  }

  static TlsMaterialException of(String key, String expected, String found, String advice) {
    return new TlsMaterialException(
        "expected %s to be %s, found %s; %s".formatted(key, expected, found, advice));
  }
}
