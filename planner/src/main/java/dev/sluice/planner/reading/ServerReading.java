package dev.sluice.planner.reading;

import dev.sluice.planner.configuration.Differences;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * What was seen of one server.
 *
 * @param id the server's id in Kafka
 * @param roles as it actually runs, not as it is desired to; not empty
 * @param platform what its platform says
 * @param recovery what its recovery probe says
 * @param answering whether its own port answered; known to be false only when it was positively
 *     refused or was asked and stayed silent
 * @param fenced whether the controllers fence it; false for a server that is no broker
 * @param configuration how the desired configuration differs from the actual one
 */
public record ServerReading(
    int id,
    Set<Role> roles,
    Fact<PlatformReading> platform,
    Fact<RecoveryReading> recovery,
    Fact<Boolean> answering,
    Fact<Boolean> fenced,
    Fact<Differences> configuration) {

  public ServerReading {
    if (id < 0 || roles.isEmpty()) {
      throw new IllegalArgumentException(
          "expected a server id of at least 0 and a role, found id " + id + ", roles " + roles);
    }
    roles = Collections.unmodifiableSet(EnumSet.copyOf(roles));
    Objects.requireNonNull(platform, "platform");
    Objects.requireNonNull(recovery, "recovery");
    Objects.requireNonNull(answering, "answering");
    Objects.requireNonNull(fenced, "fenced");
    Objects.requireNonNull(configuration, "configuration");
  }

  public boolean broker() {
    return roles.contains(Role.BROKER);
  }

  public boolean controller() {
    return roles.contains(Role.CONTROLLER);
  }

  /** The same reading without the facts that were taken before an instant. */
  ServerReading withFactsNotBefore(Instant oldest) {
    return new ServerReading(
        id,
        roles,
        platform.notBefore(oldest),
        recovery.notBefore(oldest),
        answering.notBefore(oldest),
        fenced.notBefore(oldest),
        configuration.notBefore(oldest));
  }
}
