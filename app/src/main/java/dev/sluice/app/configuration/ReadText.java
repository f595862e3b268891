package dev.sluice.app.configuration;

import dev.sluice.app.configuration.Finding.Severity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What became of reading a file: its text, or what is wrong with it. */
sealed interface ReadText {

  /**
   * It could be read.
   *
   * @param directory to which paths in it are relative
   */
  record Text(String text, Path directory) implements ReadText {}

  record Unreadable(Finding finding) implements ReadText {}

  static ReadText of(Path file, int maxBytes) {
    try {
      if (Files.size(file) > maxBytes) {
        return unreadable("expected at most " + maxBytes + " bytes, found " + Files.size(file));
      }
      var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
      var text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return new Text(text, Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file));
    } catch (CharacterCodingException _) {
      return unreadable("expected UTF-8, found other bytes");
    } catch (IOException _) {
      var found =
          Files.isDirectory(file)
              ? "a directory"
              : Files.exists(file) ? "one that cannot be read" : "none";
      return unreadable("expected a file, found " + found);
    }
  }

  private static ReadText unreadable(String message) {
    return new Unreadable(new Finding(Severity.ERROR, "", 1, 1, message));
  }
}
