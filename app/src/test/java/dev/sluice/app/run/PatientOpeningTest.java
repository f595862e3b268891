package dev.sluice.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.configuration.RollConfiguration;
import dev.sluice.app.configuration.RollFile;
import dev.sluice.app.management.ServeHealth;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class PatientOpeningTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ServeHealth health = new ServeHealth(Clock.systemUTC());
  private final List<String> said = new CopyOnWriteArrayList<>();

  @Test
  void a_name_that_nobody_resolves_yet_is_waited_for_alive_and_not_ready() throws Exception {
    var opening =
        opening(
            """
            platform: { kubernetes: { pods: [ { labels: { app: kafka }, roles: [broker] } ] } }
            kafka: { bootstrapServers: "kafka.invalid:9092" }
            """);
    var waiting = Thread.ofVirtual().start(() -> awaited(opening));
    try {
      await("it says what it waits for").atMost(PATIENCE).until(() -> !said.isEmpty());

      assertThat(said)
          .containsExactly(
              "Waits for the cluster: Expected addresses and properties that a client of Kafka"
                  + " takes, found: No resolvable bootstrap urls given in bootstrap.servers");
      assertThat(health.alive()).isTrue();
      assertThat(health.said().well()).isFalse();
      assertThat(health.said().what()).isEqualTo(said.getFirst().replaceFirst("W", "w"));
      assertThat(waiting.isAlive()).isTrue();
    } finally {
      waiting.interrupt();
      assertThat(waiting.join(PATIENCE)).as("it ended").isTrue();
    }
  }

  @Test
  void servers_that_are_no_pods_are_not_waited_for() {
    var opening =
        opening(
            """
            platform: { process: { folder: kafka } }
            kafka: { bootstrapServers: "kafka.invalid:9092" }
            """);

    assertThatThrownBy(opening::await)
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Expected platform.kubernetes, whose lease says who acts, found servers that are no"
                + " pods; use 'roll run'.");
  }

  private static void awaited(PatientOpening opening) {
    try (var _ = opening.await()) {
      throw new AssertionError("expected nobody at kafka.invalid");
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private PatientOpening opening(String text) {
    var read =
        new RollFile(ConfigurationSchema.loadRoll(), _ -> Optional.empty())
            .read(text, Path.of("/etc/roll"));
    RollConfiguration configuration = ((RollFile.Outcome.Accepted) read).configuration();
    return new PatientOpening(configuration, health, said::add);
  }
}
