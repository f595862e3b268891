package dev.sluice.embedded;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A server that a cluster is to have.
 *
 * @param id Kafka's {@code node.id}, not negative
 * @param roles at least one
 */
public record PlannedServer(int id, Set<Role> roles) {

  public PlannedServer {
    if (id < 0 || roles.isEmpty()) {
      throw new IllegalArgumentException(
          "Expected a server id of 0 or more and at least one role, found " + id + " and " + roles);
    }
    roles = Set.copyOf(roles);
  }

  boolean is(Role role) {
    return roles.contains(role);
  }

  /** Kafka's {@code process.roles}. */
  String processRoles() {
    return EnumSet.copyOf(roles).stream().map(Role::kafkaName).collect(Collectors.joining(","));
  }
}
