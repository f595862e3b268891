package dev.sluice.embedded;

import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ports of all servers of a cluster, by server id.
 *
 * @param brokerPorts where clients connect
 * @param controllerPorts where the quorum connects
 */
record ClusterPorts(Map<Integer, Integer> brokerPorts, Map<Integer, Integer> controllerPorts) {

  ClusterPorts {
    brokerPorts = Map.copyOf(brokerPorts);
    controllerPorts = Map.copyOf(controllerPorts);
  }

  static ClusterPorts choose(ClusterPlan plan, PortChooser chooser) {
    int wanted = plan.count(Role.BROKER) + plan.count(Role.CONTROLLER);
    Iterator<Integer> free = chooser.choose(wanted).iterator();
    return new ClusterPorts(dealt(plan, Role.BROKER, free), dealt(plan, Role.CONTROLLER, free));
  }

  int brokerPort(int id) {
    return portOf(id, brokerPorts);
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
