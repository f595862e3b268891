package dev.sluice.roller;

import dev.sluice.planner.reading.Role;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * A server that the roll is about.
 *
 * @param id in Kafka
 * @param roles that it is meant to have; those that it actually has are observed
 * @param address {@code host:port} that its clients use, a controller's listener of a server that
 *     is only a controller; empty when only Kafka knows it
 */
public record ServerSpec(int id, Set<Role> roles, Optional<String> address) {

  public ServerSpec {
    if (id < 0 || roles.isEmpty()) {
      throw new IllegalArgumentException(
          "expected a server id of at least 0 and a role, found id " + id + ", roles " + roles);
    }
    roles = Collections.unmodifiableSet(EnumSet.copyOf(roles));
  }

  public boolean broker() {
    return roles.contains(Role.BROKER);
  }
}
