package dev.sluice.app.run;

import dev.sluice.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configuration with which the Kafka cluster of {@code sluice up} is rolled. */
public final class PlaygroundRoll {

  private PlaygroundRoll() {}

  /** Writes it into the cluster's folder, and answers where. */
  public static Path write(EmbeddedCluster kafka) {
    try {
      return Files.writeString(
          kafka.folder().resolve("roll.yaml"),
          """
          platform: { process: { folder: %s } }
          kafka: { bootstrapServers: "%s", bootstrapControllers: "%s" }
          stateFolder: rolls
          """
              .formatted(
                  quoted(kafka.folder().toString()),
                  kafka.bootstrapServers(),
                  kafka.controllerBootstrapServers()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
