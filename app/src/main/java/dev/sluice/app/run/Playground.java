package dev.sluice.app.run;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.configuration.ManagementSpec;
import dev.sluice.app.configuration.ReloadSpec;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import dev.sluice.lifecycle.Readiness;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.DrainSpec;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.ProxySpec;
import dev.sluice.proxy.VirtualClusterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What {@code sluice up} runs: two virtual clusters before one Kafka cluster of three servers.
 *
 * @param basePort of the bootstrap address of the first virtual cluster; its nodes follow
 * @param managementPort 0 takes a free one
 */
public record Playground(int basePort, int managementPort) {

  /** Servers of the Kafka cluster, with ids from 1. */
  public static final int SERVERS = 3;

  /** From the bootstrap port of one virtual cluster to that of the next. */
  public static final int STEP = 100;

  private static final int LAST_PORT = 65_535;
  private static final String HOST = "localhost";
  private static final String LOOPBACK = "127.0.0.1";
  private static final List<String> NAMES = List.of("orders", "payments");

  /** Why it cannot have these ports on any machine, as a sentence; empty if it can. */
  public Optional<String> contradiction() {
    var lastBase = LAST_PORT - (NAMES.size() - 1) * STEP - SERVERS;
    if (basePort < 1 || basePort > lastBase) {
      return Optional.of("Expected a base port of 1 to " + lastBase + ", found " + basePort + ".");
    }
    if (managementPort < 0 || managementPort > LAST_PORT) {
      return Optional.of(
          "Expected a management port of 0 to " + LAST_PORT + ", found " + managementPort + ".");
    }
    return ports().stream()
        .skip(1)
        .filter(wanted -> wanted.port() == managementPort)
        .findFirst()
        .map(
            wanted ->
                "Expected a management port of its own, found that port "
                    + managementPort
                    + " is also that of "
                    + wanted.owner()
                    + ".");
  }

  /** All ports that are needed, and by whom. */
  public List<PortInUseException.Wanted> ports() {
    var management = new PortInUseException.Wanted(LOOPBACK, managementPort, "the management API");
    return Stream.concat(
            Stream.of(management), IntStream.range(0, NAMES.size()).boxed().flatMap(this::portsOf))
        .toList();
  }

  private Stream<PortInUseException.Wanted> portsOf(int cluster) {
    var name = "virtual cluster " + NAMES.get(cluster);
    return IntStream.rangeClosed(0, SERVERS)
        .mapToObj(
            node ->
                new PortInUseException.Wanted(
                    LOOPBACK,
                    bootstrapPort(cluster) + node,
                    name + (node == 0 ? ", bootstrap" : ", node " + node)));
  }

  /** The configuration of its proxy. */
  public Configuration configuration(String bootstrapServers) {
    var servers = endpoints(bootstrapServers);
    var clusters =
        IntStream.range(0, NAMES.size())
            .mapToObj(cluster -> virtualCluster(cluster, servers))
            .toList();
    var policy = new FailurePolicy(Serve.REMAINING, Optional.empty());
    return new Configuration(
        new ManagementSpec(
            LOOPBACK,
            managementPort,
            Optional.empty(),
            Optional.empty(),
            Readiness.Policy.ALL,
            true),
        new ProxySpec(NetworkSpec.DEFAULT, policy, clusters),
        Optional.empty(),
        ReloadSpec.DEFAULT);
  }

  private VirtualClusterSpec virtualCluster(int cluster, List<Endpoint> servers) {
    var bootstrap = new Endpoint(HOST, bootstrapPort(cluster));
    var gateway =
        new GatewaySpec(
            "local",
            Optional.of(LOOPBACK),
            bootstrap,
            bootstrap.port() + 1,
            List.of(new NodeIdRange("servers", 1, SERVERS)),
            HOST);
    return new VirtualClusterSpec(
        NAMES.get(cluster), DrainSpec.DEFAULT, servers, List.of(gateway), LimitsSpec.DEFAULT);
  }

  private int bootstrapPort(int cluster) {
    return basePort + cluster * STEP;
  }

  private static List<Endpoint> endpoints(String bootstrapServers) {
    return Arrays.stream(bootstrapServers.split(","))
        .map(
            server -> {
              var colon = server.lastIndexOf(':');
              return new Endpoint(
                  server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
            })
        .toList();
  }
}
