package dev.sluice.embedded;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ports of all servers of a cluster, by server id.
 *
 * @param brokerPorts where clients connect
 * @param controllerPorts where the quorum connects
 * @param furtherPorts where clients connect to further listeners, by their names
 */
record ClusterPorts(
    Map<Integer, Integer> brokerPorts,
    Map<Integer, Integer> controllerPorts,
    Map<String, Map<Integer, Integer>> furtherPorts) {

  /** Without further listeners. */
  ClusterPorts(Map<Integer, Integer> brokerPorts, Map<Integer, Integer> controllerPorts) {
    this(brokerPorts, controllerPorts, Map.of());
  }

  ClusterPorts {
    furtherPorts = Map.copyOf(furtherPorts);
    brokerPorts = Map.copyOf(brokerPorts);
    controllerPorts = Map.copyOf(controllerPorts);
  }

  static ClusterPorts choose(ClusterPlan plan, PortChooser chooser) {
    int brokers = plan.count(Role.BROKER) * (1 + plan.listeners().size());
    Iterator<Integer> free = chooser.choose(brokers + plan.count(Role.CONTROLLER)).iterator();
    Map<String, Map<Integer, Integer>> further = new TreeMap<>();
    plan.listeners().keySet().forEach(name -> further.put(name, dealt(plan, Role.BROKER, free)));
    return new ClusterPorts(
        dealt(plan, Role.BROKER, free), dealt(plan, Role.CONTROLLER, free), further);
  }

  int brokerPort(int id) {
    return portOf(id, brokerPorts);
  }

  int furtherPort(String listener, int id) {
    return portOf(id, furtherPorts.getOrDefault(listener, Map.of()));
  }

  int controllerPort(int id) {
    return portOf(id, controllerPorts);
  }

  private static int portOf(int id, Map<Integer, Integer> ports) {
    Integer port = ports.get(id);
    if (port == null) {
      throw new IllegalArgumentException(
          "Expected one of the servers %s, found %d".formatted(ports.keySet(), id));
    }
    return port;
  }

  private static Map<Integer, Integer> dealt(ClusterPlan plan, Role role, Iterator<Integer> free) {
    Map<Integer, Integer> ports = new TreeMap<>();
    plan.with(role).forEach(server -> ports.put(server.id(), free.next()));
    return ports;
  }
}
