package dev.sluice.kubernetes;

import dev.sluice.planner.reading.Role;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which pods are servers.
 *
 * @param labels that they have
 * @param roles of the servers; empty: as Strimzi's labels say
 * @param nodeId where a server's id in Kafka is told
 */
public record PodSelection(SortedMap<String, String> labels, Set<Role> roles, NodeId nodeId) {

  private static final String STRIMZI_CLUSTER = "strimzi.io/cluster";
  private static final String STRIMZI_BROKER = "strimzi.io/broker-role";
  private static final String STRIMZI_CONTROLLER = "strimzi.io/controller-role";

  public PodSelection {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    if (labels.isEmpty()) {
      throw new IllegalArgumentException(
          "expected at least one label that a server's pod has, found none; never take every pod for a server");
    }
    roles = roles.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(roles));
  }

  /** Where the id of a server is told. */
  public sealed interface NodeId {
    /** By a label of its pod. */
    record Label(String key) implements NodeId {}

    /** By an annotation of its pod. */
    record Annotation(String key) implements NodeId {}

    /**
     * By the number at the end of its pod's name.
     *
     * @param offset is added to it
     */
    record Ordinal(int offset) implements NodeId {}
  }

  /** The servers of a Kafka cluster that Strimzi runs. */
  public static PodSelection strimzi(String cluster) {
    return new PodSelection(
        new TreeMap<>(Map.of(STRIMZI_CLUSTER, cluster)), Set.of(), new NodeId.Ordinal(0));
  }

  /** The Strimzi cluster that this is about; empty when it is about other pods. */
  Optional<String> strimziCluster() {
    return roles.isEmpty() ? strimziCluster(labels) : Optional.empty();
  }

  /** The Strimzi cluster that something with these labels belongs to. */
  static Optional<String> strimziCluster(Map<String, String> found) {
    return Optional.ofNullable(found.get(STRIMZI_CLUSTER));
  }

  /** For the API server. */
  String selector() {
    return labels.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(","));
  }

  boolean matches(Map<String, String> found) {
    return labels.entrySet().stream()
            .allMatch(each -> each.getValue().equals(found.get(each.getKey())))
        && !rolesOf(found).isEmpty();
  }

  /** The roles of a server by its pod's labels; empty when they say that it is none. */
  Set<Role> rolesOf(Map<String, String> found) {
    if (!roles.isEmpty()) {
      return roles;
    }
    Set<Role> told = EnumSet.noneOf(Role.class);
    if ("true".equals(found.get(STRIMZI_BROKER))) {
      told.add(Role.BROKER);
    }
    if ("true".equals(found.get(STRIMZI_CONTROLLER))) {
      told.add(Role.CONTROLLER);
    }
    return told;
  }

  /** The id of a server; empty when its pod does not tell it. */
  Optional<Integer> id(String pod, Map<String, String> podLabels, Map<String, String> annotations) {
    return switch (nodeId) {
      case NodeId.Label(String key) -> number(podLabels.get(key), 0);
      case NodeId.Annotation(String key) -> number(annotations.get(key), 0);
      case NodeId.Ordinal(int offset) -> number(pod.substring(pod.lastIndexOf('-') + 1), offset);
    };
  }

  private static Optional<Integer> number(@Nullable String text, int offset) {
    try {
      return text == null ? Optional.empty() : Optional.of(Integer.parseInt(text) + offset);
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
