package dev.sluice.embedded;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars that a Kafka server runs from. They are the class path of the server JVMs only; nothing
 * of them needs to be on the class path of whoever starts a cluster.
 *
 * @param entries jars and folders, in order
 */
public record KafkaClasspath(List<Path> entries) {

  private static final String SERVER_JAR_PREFIX = "kafka_2.";

  public KafkaClasspath {
    entries = List.copyOf(entries);
  }

  /** The class path of the running JVM: for tests, where Maven put Kafka's jars. */
  public static KafkaClasspath ofThisJvm() {
    return new KafkaClasspath(
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.isBlank())
            .map(Path::of)
            .map(Path::toAbsolutePath)
            .toList());
  }

  /** Every jar of a folder, such as the {@code lib/kafka} of the distribution. */
  public static KafkaClasspath of(Path libFolder) {
    try (Stream<Path> files = Files.list(libFolder)) {
      return new KafkaClasspath(
          files
              .filter(file -> file.toString().endsWith(".jar"))
              .map(Path::toAbsolutePath)
              .sorted()
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException("Expected a folder with Kafka's jars at " + libFolder, e);
    }
  }

  /** The same, after a check that a Kafka server is among the entries. */
  KafkaClasspath checked() {
    boolean hasServer =
        entries.stream()
            .map(Path::getFileName)
            .anyMatch(name -> name != null && name.toString().startsWith(SERVER_JAR_PREFIX));
    if (!hasServer) {
      throw new IllegalStateException(
          "Expected a jar of the Kafka server (kafka_2.13-*.jar), found %s; add".formatted(entries)
              + " org.apache.kafka:kafka_2.13 to the class path, or name its folder with"
              + " KafkaClasspath.of");
    }
    return this;
  }
}
