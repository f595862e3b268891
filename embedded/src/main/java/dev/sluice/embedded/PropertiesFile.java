package dev.sluice.embedded;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import java.util.stream.Collectors;

/** Reads and replaces properties files: whole or not at all, readable by their owner only. */
final class PropertiesFile {

  private PropertiesFile() {}

  static Properties read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException("Expected a properties file at " + file, e);
    }
  }

  static String required(Path file, String name) {
    String value = read(file).getProperty(name);
    if (value == null) {
      throw new IllegalStateException("Expected property %s in %s".formatted(name, file));
    }
    return value;
  }

  /** The same properties make the same bytes, whenever they are written. */
  static void write(Path file, Properties properties) {
    try {
      StringWriter text = new StringWriter();
      properties.store(text, null);
      String undated =
          text.toString()
              .lines()
              .filter(line -> !line.startsWith("#"))
              .sorted()
              .collect(Collectors.joining("\n", "", "\n"));
      Path beside = file.resolveSibling(file.getFileName() + ".new");
      Files.deleteIfExists(beside);
      Files.createFile(
          beside,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(beside, undated);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + file, e);
    }
  }
}
