package dev.sluice.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The properties of one server of a small local cluster: quick to start, few threads, small
 * internal topics; replication as in production where there are three brokers.
 */
final class ServerProperties {

  static final String HOST = "127.0.0.1";
  static final String CLIENT_LISTENER = "PLAINTEXT";
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  private static final int MOST_REPLICAS = 3;

  private final ClusterPlan plan;
  private final ClusterPorts ports;

  ServerProperties(ClusterPlan plan, ClusterPorts ports) {
    this.plan = plan;
    this.ports = ports;
  }

  SortedMap<String, String> of(PlannedServer server, Path logFolder) {
    SortedMap<String, String> all = new TreeMap<>();
    all.put("node.id", Integer.toString(server.id()));
    all.put("process.roles", server.processRoles());
    all.put("log.dirs", logFolder.toString());
    putListeners(all, server);
    putReplication(all);
    putSmallness(all);
    all.putAll(plan.properties());
    all.putAll(plan.propertiesOf(server.id()));
    return all;
  }

  /** Addresses of all controllers, as clients and servers are told them. */
  String controllers() {
    return plan.with(Role.CONTROLLER).stream()
        .map(controller -> HOST + ":" + ports.controllerPort(controller.id()))
        .collect(Collectors.joining(","));
  }

  private void putListeners(Map<String, String> all, PlannedServer server) {
    List<String> listeners = new ArrayList<>();
    if (server.is(Role.BROKER)) {
      listeners.add(listener(CLIENT_LISTENER, ports.brokerPort(server.id())));
      plan.listeners()
          .keySet()
          .forEach(name -> listeners.add(listener(name, ports.furtherPort(name, server.id()))));
      all.put("inter.broker.listener.name", CLIENT_LISTENER);
    }
    if (server.is(Role.CONTROLLER)) {
      listeners.add(listener(CONTROLLER_LISTENER, ports.controllerPort(server.id())));
    }
    all.put("listeners", String.join(",", listeners));
    all.put("advertised.listeners", String.join(",", listeners));
    all.put("controller.listener.names", CONTROLLER_LISTENER);
    all.put("listener.security.protocol.map", protocols());
    all.put("controller.quorum.bootstrap.servers", controllers());
  }

  private String protocols() {
    StringBuilder protocols = new StringBuilder("PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    plan.listeners()
        .forEach(
            (name, protocol) -> protocols.append(',').append(name).append(':').append(protocol));
    return protocols.toString();
  }

  private void putReplication(Map<String, String> all) {
    int replicas = Math.min(MOST_REPLICAS, plan.count(Role.BROKER));
    String copies = Integer.toString(replicas);
    String inSync = Integer.toString(Math.max(1, replicas - 1));
    all.put("default.replication.factor", copies);
    all.put("min.insync.replicas", inSync);
    all.put("offsets.topic.replication.factor", copies);
    all.put("transaction.state.log.replication.factor", copies);
    all.put("transaction.state.log.min.isr", inSync);
    all.put("share.coordinator.state.topic.replication.factor", copies);
    all.put("share.coordinator.state.topic.min.isr", inSync);
  }

  private static void putSmallness(Map<String, String> all) {
    all.put("offsets.topic.num.partitions", "3");
    all.put("transaction.state.log.num.partitions", "3");
    all.put("share.coordinator.state.topic.num.partitions", "3");
    all.put("group.initial.rebalance.delay.ms", "0");
    all.put("num.network.threads", "2");
    all.put("num.io.threads", "4");
    all.put("background.threads", "2");
    all.put("num.recovery.threads.per.data.dir", "1");
    all.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 << 20));
    all.put("log.index.size.max.bytes", Integer.toString(1 << 20));
    // A loaded machine may need more than Kafka's minute until the first quorum has a leader.
    all.put(
        "initial.broker.registration.timeout.ms",
        Long.toString(EmbeddedCluster.START_LIMIT.toMillis()));
  }

  private static String listener(String name, int port) {
    return name + "://" + HOST + ":" + port;
  }
}
