package dev.sluice.app.configuration;

import dev.sluice.kubernetes.KubernetesSettings;
import dev.sluice.planner.Policy;
import dev.sluice.roller.LoopSettings;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.platform.CommandPlatform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * A roll's configuration in which no error was found.
 *
 * @param servers that are written down; empty when the platform knows them
 * @param values what places in commands and addresses stand for, by server
 * @param observationLimit of one look
 * @param stateFolder of journals and locks, by cluster
 */
public record RollConfiguration(
    Owner platform,
    Kafka kafka,
    List<ServerSpec> servers,
    SortedMap<Integer, Map<String, String>> values,
    Recovery recovery,
    Compared compared,
    Policy policy,
    LoopSettings loop,
    Duration observationLimit,
    Path stateFolder) {

  /** Who owns the servers' processes. */
  public sealed interface Owner {

    /**
     * A supervisor of local processes.
     *
     * @param folder of its cluster
     * @param shutdownLimit of a controlled shutdown
     */
    record Processes(Path folder, Duration shutdownLimit) implements Owner {}

    /** Commands that a person wrote down. */
    record Commanded(CommandPlatform.Commands commands) implements Owner {}

    /** Kubernetes. */
    record Pods(KubernetesSettings settings) implements Owner {}
  }

  /**
   * How Kafka is reached.
   *
   * @param brokers bootstrap addresses
   * @param controllers the same of controllers; empty when they cannot be reached
   * @param properties of clients, with secrets
   */
  public record Kafka(
      String brokers, Optional<String> controllers, Map<String, String> properties) {

    /** Values may be secrets: only keys are shown. */
    @Override
    public String toString() {
      return "Kafka[" + brokers + ", " + properties.keySet() + "]";
    }
  }

  /** Who knows about the replay of logs. Addresses may have places. */
  public sealed interface Recovery {

    Duration limit();

    record Agent(String address, Duration limit) implements Recovery {}

    record Jmx(String address, Duration limit) implements Recovery {}

    /** The agent that every local process has, or nobody. */
    record OfPlatform(Duration limit) implements Recovery {}
  }

  /**
   * What the configuration of servers is compared with.
   *
   * @param file of properties, with places; empty: that of the platform, if it has one
   * @param ignored keys that never count, beside those that make a server what it is
   * @param compares whether anybody compares
   */
  public record Compared(Optional<String> file, Set<String> ignored, boolean compares) {}
}
