package dev.sluice.embedded;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster is to look like. A value: every {@code with…} answers a changed copy.
 *
 * @param servers the servers, in the order of their ids; at least one broker and one controller
 * @param listeners further listeners of every broker, by name, each with its security protocol
 * @param properties server properties for every server; they win over the module's own
 * @param serverProperties further properties by server id; they win over {@code properties}
 * @param heapMegabytes the heap of one server, in MB
 * @param folder where the cluster lives and stays after it ended, or null for a temporary folder
 *     that is removed when the cluster ends
 * @param classpath what the servers run
 */
public record ClusterPlan(
    List<PlannedServer> servers,
    Map<String, String> listeners,
    Map<String, String> properties,
    Map<Integer, Map<String, String>> serverProperties,
    int heapMegabytes,
    @Nullable Path folder,
    KafkaClasspath classpath) {

  /** Enough for tests and demos. A first controller of {@link #separate} has the next round id. */
  private static final int DEFAULT_HEAP_MEGABYTES = 400;

  private static final int FIRST_BROKER = 1;
  private static final int FIRST_SEPARATE_CONTROLLER = 101;
  private static final int MOST_SERVERS_OF_A_ROLE = 100;

  public ClusterPlan {
    servers = List.copyOf(servers);
    listeners = Collections.unmodifiableMap(new TreeMap<>(listeners));
    properties = Map.copyOf(properties);
    serverProperties = Map.copyOf(serverProperties);
    for (Role role : Role.values()) {
      if (servers.stream().noneMatch(server -> server.is(role))) {
        throw new IllegalArgumentException(
            "Expected at least one %s, found servers %s".formatted(role.kafkaName(), servers));
      }
    }
    if (servers.stream().map(PlannedServer::id).distinct().count() != servers.size()) {
      throw new IllegalArgumentException("Expected every server id once, found " + servers);
    }
  }

  /** Servers 1, 2, ... {@code count}, each broker and controller. */
  public static ClusterPlan combined(int count) {
    return of(servers(FIRST_BROKER, count, Set.of(Role.BROKER, Role.CONTROLLER)).toList());
  }

  /** Brokers 1, 2, ... and controllers 101, 102, ... */
  public static ClusterPlan separate(int controllers, int brokers) {
    return of(
        Stream.concat(
                servers(FIRST_BROKER, brokers, Set.of(Role.BROKER)),
                servers(FIRST_SEPARATE_CONTROLLER, controllers, Set.of(Role.CONTROLLER)))
            .toList());
  }

  /** Any servers. */
  public static ClusterPlan of(List<PlannedServer> servers) {
    return new ClusterPlan(
        servers,
        Map.of(),
        Map.of(),
        Map.of(),
        DEFAULT_HEAP_MEGABYTES,
        null,
        KafkaClasspath.ofThisJvm());
  }

  /**
   * With one more listener of every broker, on a port of its own: see {@link
   * EmbeddedCluster#bootstrapServers(String)}. What it needs (keys, mechanisms) is set by
   * properties.
   *
   * @param name in capital letters
   * @param securityProtocol such as {@code SASL_SSL}
   */
  public ClusterPlan withListener(String name, String securityProtocol) {
    Map<String, String> changed = new HashMap<>(listeners);
    changed.put(name, securityProtocol);
    return new ClusterPlan(
        servers, changed, properties, serverProperties, heapMegabytes, folder, classpath);
  }

  /** With a server property for every server. */
  public ClusterPlan withProperty(String name, String value) {
    Map<String, String> changed = new HashMap<>(properties);
    changed.put(name, value);
    return new ClusterPlan(
        servers, listeners, changed, serverProperties, heapMegabytes, folder, classpath);
  }

  /** With a server property for one server. */
  public ClusterPlan withServerProperty(int id, String name, String value) {
    Map<String, String> ofServer = new HashMap<>(propertiesOf(id));
    ofServer.put(name, value);
    Map<Integer, Map<String, String>> changed = new HashMap<>(serverProperties);
    changed.put(id, Map.copyOf(ofServer));
    return new ClusterPlan(
        servers, listeners, properties, changed, heapMegabytes, folder, classpath);
  }

  /** With another heap for every server, in MB. */
  public ClusterPlan withHeapMegabytes(int megabytes) {
    return new ClusterPlan(
        servers, listeners, properties, serverProperties, megabytes, folder, classpath);
  }

  /** In this folder, which is created if missing, must be empty, and is kept. */
  public ClusterPlan inFolder(Path kept) {
    return new ClusterPlan(
        servers, listeners, properties, serverProperties, heapMegabytes, kept, classpath);
  }

  /** With other Kafka jars than those of the running JVM. */
  public ClusterPlan running(KafkaClasspath other) {
    return new ClusterPlan(
        servers, listeners, properties, serverProperties, heapMegabytes, folder, other);
  }

  Map<String, String> propertiesOf(int id) {
    return serverProperties.getOrDefault(id, Map.of());
  }

  int count(Role role) {
    return (int) servers.stream().filter(server -> server.is(role)).count();
  }

  List<PlannedServer> with(Role role) {
    return servers.stream().filter(server -> server.is(role)).toList();
  }

  private static Stream<PlannedServer> servers(int first, int count, Set<Role> roles) {
    if (count < 1 || count > MOST_SERVERS_OF_A_ROLE) {
      throw new IllegalArgumentException(
          "Expected 1 to %d servers, found %d".formatted(MOST_SERVERS_OF_A_ROLE, count));
    }
    return IntStream.range(first, first + count).mapToObj(id -> new PlannedServer(id, roles));
  }
}
