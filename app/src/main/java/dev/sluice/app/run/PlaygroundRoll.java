package dev.sluice.app.run;

import dev.sluice.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The configuration with which the Kafka cluster of {@code sluice up} is rolled. */
public final class PlaygroundRoll {

  private PlaygroundRoll() {}

  /** Writes it into the cluster's folder, and answers where. */
  public static Path write(EmbeddedCluster kafka) {
    return write(kafka, "");
  }

  /**
   * The same for somebody who watches: all that is waited for is waited for, and a server counts as
   * steady sooner once it is well.
   *
   * @param steadyHold in whole seconds
   */
  public static Path write(EmbeddedCluster kafka, Duration steadyHold) {
    return write(kafka, "policy: { steadyHold: %ds }\n".formatted(steadyHold.toSeconds()));
  }

  private static Path write(EmbeddedCluster kafka, String policy) {
    try {
      return Files.writeString(
          kafka.folder().resolve("roll.yaml"),
          """
          platform: { process: { folder: %s } }
          kafka: { bootstrapServers: "%s", bootstrapControllers: "%s" }
          stateFolder: rolls
          %s"""
              .formatted(
                  quoted(kafka.folder().toString()),
                  kafka.bootstrapServers(),
                  kafka.controllerBootstrapServers(),
                  policy));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
