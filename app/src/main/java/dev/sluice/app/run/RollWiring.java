package dev.sluice.app.run;

import dev.sluice.app.configuration.RollConfiguration;
import dev.sluice.app.configuration.RollConfiguration.Compared;
import dev.sluice.app.configuration.RollConfiguration.Owner;
import dev.sluice.app.configuration.RollConfiguration.Recovery;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.planner.configuration.Desired;
import dev.sluice.roller.Platform;
import dev.sluice.roller.RecoveryProbe;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.cluster.ClusterObserver;
import dev.sluice.roller.cluster.DesiredConfiguration;
import dev.sluice.roller.cluster.KafkaAccess;
import dev.sluice.roller.cluster.KafkaKeys;
import dev.sluice.roller.platform.CommandPlatform;
import dev.sluice.roller.platform.ProcessPlatform;
import dev.sluice.roller.recovery.HttpAgentProbe;
import dev.sluice.roller.recovery.JmxProbe;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import javax.management.remote.JMXServiceURL;

/** Puts what looks and acts together, as a configuration says. */
final class RollWiring {

  private final RollConfiguration configuration;
  private final String clusterId;
  private final Optional<KubernetesCluster> pods;

  /**
   * @param pods where servers are pods
   */
  RollWiring(RollConfiguration configuration, String clusterId, Optional<KubernetesCluster> pods) {
    this.configuration = configuration;
    this.clusterId = clusterId;
    this.pods = pods;
  }

  ClusterObserver.Parts parts(KafkaAccess kafka) throws IOException, InterruptedException {
    return switch (configuration.platform()) {
      case Owner.Processes(var folder, var shutdownLimit) -> {
        var keys = KafkaKeys.load();
        var compares = configuration.compared().compares();
        var platform =
            new ProcessPlatform(
                folder, shutdownLimit, key -> compares && KafkaKeys.changesWhileRunning(keys, key));
        yield parts(kafka, platform, platform.servers(), agentOf(folder), fileOf(folder));
      }
      case Owner.Commanded(var commands) ->
          parts(
              kafka,
              new CommandPlatform(commands, configuration.values()),
              configuration.servers(),
              RecoveryProbe.NONE,
              DesiredConfiguration.NONE);
      case Owner.Pods _ -> {
        var cluster = pods.orElseThrow();
        yield parts(
            kafka,
            cluster.platform(),
            cluster.servers(),
            RecoveryProbe.NONE,
            cluster.desired(configuration.compared().ignored()));
      }
    };
  }

  /**
   * @param agent that the platform brings, for when none is configured
   * @param file that the platform starts servers from, for the same case
   */
  private ClusterObserver.Parts parts(
      KafkaAccess kafka,
      Platform platform,
      List<ServerSpec> servers,
      RecoveryProbe agent,
      DesiredConfiguration file) {
    return new ClusterObserver.Parts(
        clusterId,
        kafka,
        platform,
        recovery(agent),
        desired(file),
        servers,
        Optional.empty(),
        configuration.observationLimit());
  }

  private RecoveryProbe recovery(RecoveryProbe agent) {
    return switch (configuration.recovery()) {
      case Recovery.Agent(var address, var limit) ->
          new HttpAgentProbe(server -> URI.create(filled(address, server)), limit);
      case Recovery.Jmx(var address, var limit) ->
          new JmxProbe(server -> new JMXServiceURL(filled(address, server)), limit);
      case Recovery.OfPlatform _ -> agent;
    };
  }

  /** Local servers write the port of their agent beside their properties. */
  private RecoveryProbe agentOf(Path folder) {
    return new HttpAgentProbe(
        server -> {
          var file = ProcessPlatform.properties(folder, server.id()).resolveSibling("agent.port");
          try {
            return URI.create("http://127.0.0.1:" + Files.readString(file).strip());
          } catch (NoSuchFileException e) {
            throw new IOException("its agent does not listen yet", e);
          }
        },
        configuration.recovery().limit());
  }

  private DesiredConfiguration desired(DesiredConfiguration file) {
    Compared compared = configuration.compared();
    if (!compared.compares()) {
      return DesiredConfiguration.NONE;
    }
    return compared
        .file()
        .<DesiredConfiguration>map(name -> server -> read(Path.of(filled(name, server))))
        .orElse(file);
  }

  private DesiredConfiguration fileOf(Path folder) {
    return server -> read(ProcessPlatform.properties(folder, server.id()));
  }

  private Optional<Desired> read(Path file) throws IOException {
    var properties = new Properties();
    try (var reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    var values = new TreeMap<String, String>();
    properties.forEach((key, value) -> values.put(key.toString(), value.toString()));
    return Optional.of(new Desired(values, configuration.compared().ignored()));
  }

  private String filled(String text, ServerSpec server) throws IOException {
    var filled = text.replace("{id}", Integer.toString(server.id()));
    for (var value : configuration.values().getOrDefault(server.id(), Map.of()).entrySet()) {
      filled = filled.replace("{" + value.getKey() + "}", value.getValue());
    }
    if (pods.isPresent() && filled.contains("{")) {
      for (var place : pods.get().places(server).entrySet()) {
        filled = filled.replace("{" + place.getKey() + "}", place.getValue());
      }
    }
    return filled;
  }
}
