package dev.sluice.proxy.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;

/** A password. What it is, it tells nobody but who opens a store with it. */
public sealed interface Secret {

  /** It stands in the first line of a file. */
  record InFile(NamedFile file) implements Secret {}

  /** It stands in the configuration, or in a variable that is named there. */
  record Given(String value) implements Secret {

    /** Tells only whether it is the same as another. */
    @Override
    public String toString() {
      return "Given[" + NamedFile.digestOf(value.getBytes(StandardCharsets.UTF_8)) + "]";
    }
  }

  /** The file that it stands in. */
  default Optional<NamedFile> inFile() {
    return this instanceof InFile(var file) ? Optional.of(file) : Optional.empty();
  }

  /**
   * The password itself. Blocks.
   *
   * @param key of the configuration that it is for, for the message
   */
  default char[] characters(String key) throws TlsMaterialException {
    return switch (this) {
      case Given(var value) -> value.toCharArray();
      case InFile(var file) -> firstLine(file, key);
    };
  }

  private static char[] firstLine(NamedFile file, String key) throws TlsMaterialException {
    try (var lines = Files.lines(file.path(), StandardCharsets.UTF_8)) {
      return lines.findFirst().orElse("").toCharArray();
    } catch (IOException | RuntimeException _) {
      throw TlsMaterialException.unreadable(key + ".passwordFile", file.path());
    }
  }
}
