package dev.sluice.app.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.app.configuration.RollConfiguration;
import dev.sluice.app.configuration.RollConfiguration.Owner;
import dev.sluice.app.management.ServeHealth;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Reaches a cluster as soon as it answers, however long that takes: whoever serves is started along
 * with the cluster, or while it is down, and a process that ends for that reason is started over
 * and over. Until then it is alive and not ready. Used by one thread.
 */
public final class PatientOpening {

  /** Between two attempts. An attempt itself takes half a minute at most where nobody answers. */
  static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(2);

  private final RollConfiguration configuration;
  private final ServeHealth health;
  private final Consumer<String> said;
  private String last = "";

  /**
   * @param said is told what is waited for, whenever that changes
   */
  public PatientOpening(
      RollConfiguration configuration, ServeHealth health, Consumer<String> said) {
    this.configuration = configuration;
    this.health = health;
    this.said = said;
  }

  /**
   * Waits for it.
   *
   * @throws IOException if waiting cannot help: the platform is not one to serve
   */
  public RunningRoll await() throws IOException, InterruptedException {
    if (!(configuration.platform() instanceof Owner.Pods)) {
      throw ServingRoll.noPods("servers that are no pods");
    }
    health.failed("waits for the cluster: asks who it is");
    while (true) {
      try {
        return RunningRoll.open(configuration);
      } catch (IOException e) {
        waits(requireNonNull(String.valueOf(e.getMessage())));
      }
      Thread.sleep(BETWEEN_ATTEMPTS);
    }
  }

  private void waits(String why) {
    health.failed("waits for the cluster: " + why);
    if (!why.equals(last)) {
      said.accept("Waits for the cluster: " + why);
      last = why;
    }
  }
}
