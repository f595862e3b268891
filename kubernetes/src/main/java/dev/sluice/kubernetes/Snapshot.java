package dev.sluice.kubernetes;

import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything about the servers' pods at one time.
 *
 * @param owners by uid
 * @param budgets empty when pods are deleted
 * @param unwell nodes that are not ready and have pods of ours, by name
 */
record Snapshot(
    List<PodSelection> selections,
    List<PodFacts> pods,
    Map<String, OwnerFacts> owners,
    List<BudgetFacts> budgets,
    Map<String, NodeFacts> unwell) {

  Snapshot {
    pods = List.copyOf(pods);
    owners = Collections.unmodifiableMap(new TreeMap<>(owners));
    budgets = List.copyOf(budgets);
    unwell = Map.copyOf(unwell);
  }

  Optional<OwnerFacts> ownerOf(PodFacts pod) {
    return pod.owner().map(PodFacts.Owner::uid).map(owners::get);
  }

  /**
   * The pod of a server.
   *
   * @throws IOException if two say that they are it, and neither is on its way out
   */
  Optional<PodFacts> podOf(int server) throws IOException {
    List<PodFacts> all = new ArrayList<>();
    for (PodFacts pod : pods) {
      if (idOf(pod).filter(id -> id == server).isPresent()) {
        all.add(pod);
      }
    }
    List<PodFacts> staying = all.stream().filter(pod -> pod.deletion().isEmpty()).toList();
    if (staying.size() > 1) {
      throw new IOException(
          "expected one pod of server %d, found %s; narrow the selection"
              .formatted(server, staying.stream().map(PodFacts::name).toList()));
    }
    return staying.stream()
        .findFirst()
        .or(() -> all.stream().max(Comparator.comparing(PodFacts::created)));
  }

  private Optional<Integer> idOf(PodFacts pod) {
    return selections.stream()
        .filter(selection -> selection.matches(pod.labels()))
        .findFirst()
        .flatMap(selection -> selection.id(pod.name(), pod.labels(), pod.annotations()));
  }

  /** The owner that would make the pod of a server that has none. */
  Optional<OwnerFacts> ownerOf(int server) {
    return owners.values().stream()
        .filter(
            owner ->
                owner.members().entrySet().stream()
                    .anyMatch(
                        each ->
                            member(each.getKey(), each.getValue())
                                .filter(spec -> spec.id() == server)
                                .isPresent()))
        .findFirst();
  }

  /** All servers: those that have a pod, and those that should. */
  List<ServerSpec> servers() {
    SortedMap<Integer, ServerSpec> servers = new TreeMap<>();
    owners
        .values()
        .forEach(
            owner ->
                owner
                    .members()
                    .forEach(
                        (name, labels) ->
                            member(name, labels).ifPresent(each -> servers.put(each.id(), each))));
    for (PodFacts pod : pods) {
      member(pod.name(), pod.labels(), pod.annotations())
          .ifPresent(each -> servers.put(each.id(), each));
    }
    return List.copyOf(servers.values());
  }

  private Optional<ServerSpec> member(String name, Map<String, String> labels) {
    return member(name, labels, Map.of());
  }

  private Optional<ServerSpec> member(
      String name, Map<String, String> labels, Map<String, String> annotations) {
    for (PodSelection selection : selections) {
      if (selection.matches(labels)) {
        Set<Role> roles = selection.rolesOf(labels);
        return selection
            .id(name, labels, annotations)
            .map(id -> new ServerSpec(id, roles, Optional.empty()));
      }
    }
    return Optional.empty();
  }
}
