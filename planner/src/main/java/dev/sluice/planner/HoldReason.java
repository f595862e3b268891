package dev.sluice.planner;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** Why to wait. */
public sealed interface HoldReason {

  String sentence();

  /** Whether this is being stuck: it may not last for ever. */
  default boolean blocks() {
    return this instanceof EverythingBlocked;
  }

  /** Servers acted upon are on their way back. */
  record AwaitingReturn(List<Assessment> servers) implements HoldReason {
    public AwaitingReturn {
      servers = List.copyOf(servers);
    }

    @Override
    public String sentence() {
      return "waiting for "
          + servers.stream()
              .map(each -> "server " + each.server() + ", " + each.condition().sentence())
              .collect(Collectors.joining("; "));
    }
  }

  /** Something is needed, and nothing of it is allowed now. */
  record EverythingBlocked(List<Blocked> blocked) implements HoldReason {
    public EverythingBlocked {
      blocked = List.copyOf(blocked);
    }

    @Override
    public String sentence() {
      return "nothing may be done now" + Blocked.said(blocked);
    }
  }

  /** No maintenance window is open. */
  record OutOfWindow(Instant nextOpening) implements HoldReason {
    @Override
    public String sentence() {
      return "no maintenance window is open; the next opens at " + nextOpening;
    }
  }

  /** Somebody else restarts servers of this cluster. */
  record AnotherRoll(String who) implements HoldReason {
    @Override
    public String sentence() {
      return "another roll is under way: " + who;
    }
  }
}
