package dev.sluice.roller;

import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What somebody asked for.
 *
 * @param requestedAt a server that was started after it is done, as far as the reason goes
 * @param reason why to restart servers that need nothing otherwise; empty to bring servers to what
 *     is desired and no more
 * @param servers the only ones to act on; empty for all
 */
public record RollRequest(Instant requestedAt, Optional<String> reason, Set<Integer> servers) {

  public RollRequest {
    servers = Collections.unmodifiableSet(new TreeSet<>(servers));
  }

  /** Whether both ask for the same thing, at whatever time. */
  public boolean asksTheSameAs(RollRequest other) {
    return reason.equals(other.reason) && servers.equals(other.servers);
  }

  public boolean includes(int server) {
    return servers.isEmpty() || servers.contains(server);
  }
}
