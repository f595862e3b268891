package dev.sluice.planner;

import dev.sluice.planner.Assessment.Awaited;
import dev.sluice.planner.ServerMemory.Outstanding;
import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.configuration.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks for what must stop a roll. */
final class Halts {

  private final Instant now;
  private final List<Assessment> servers;
  private final Memory memory;
  private final Policy policy;

  Halts(Instant now, List<Assessment> servers, Memory memory, Policy policy) {
    this.now = now;
    this.servers = servers;
    this.memory = memory;
    this.policy = policy;
  }

  Optional<HaltReason> first() {
    return each(this::didNotComeBack)
        .or(() -> each(this::loop))
        .or(() -> each(this::tooManyRestarts))
        .or(() -> each(this::downAndCurrent))
        .or(this::desiredConflicts);
  }

  private Optional<HaltReason> each(
      java.util.function.Function<Assessment, Optional<HaltReason>> look) {
    return servers.stream().map(look).flatMap(Optional::stream).findFirst();
  }

  private Optional<HaltReason> didNotComeBack(Assessment server) {
    if (server.awaited() != Awaited.OVERDUE) {
      return Optional.empty();
    }
    Instant moved = memory.of(server.server()).progress().map(Progress::at).orElse(now);
    return Optional.of(
        new HaltReason.DidNotComeBack(
            server.server(), server.condition(), Duration.between(moved, now)));
  }

  private Optional<HaltReason> loop(Assessment server) {
    ServerMemory known = memory.of(server.server());
    List<RestartReason> cured =
        server.awaited() == Awaited.RETURNED
            ? known.outstanding().map(Outstanding::reasons).orElse(List.of())
            : known.cured();
    if (frozen(server) || !(server.need() instanceof Need.Restart(List<RestartReason> reasons))) {
      return Optional.empty();
    }
    return reasons.stream()
        .filter(
            reason -> server.awaited() != Awaited.YES && cured.stream().anyMatch(reason::repeats))
        .findFirst()
        .map(reason -> new HaltReason.Loop(server.server(), reason));
  }

  private Optional<HaltReason> tooManyRestarts(Assessment server) {
    if (frozen(server)
        || server.awaited() == Awaited.YES
        || !(server.need() instanceof Need.Restart(List<RestartReason> reasons))) {
      return Optional.empty();
    }
    Map<String, Integer> restarts = memory.of(server.server()).restarts();
    return reasons.stream()
        .filter(reason -> restarts.getOrDefault(reason.kind(), 0) >= policy.maxRestarts())
        .findFirst()
        .map(
            reason ->
                new HaltReason.TooManyRestarts(
                    server.server(), reason, restarts.getOrDefault(reason.kind(), 0)));
  }

  private Optional<HaltReason> downAndCurrent(Assessment server) {
    boolean down = server.condition() instanceof Condition.NotRunning;
    boolean halts =
        down
            && !(server.need() instanceof Need.Restart)
            && server.awaited() != Awaited.YES
            && !frozen(server)
            && !policy.curesDownServers();
    return halts
        ? Optional.of(new HaltReason.DownAndCurrent(server.server(), server.condition()))
        : Optional.empty();
  }

  /** One value for all, and two that want to set it: they would undo each other for ever. */
  private Optional<HaltReason> desiredConflicts() {
    Map<String, Operation> seen = new HashMap<>();
    Map<String, Integer> by = new HashMap<>();
    for (Assessment server : servers) {
      for (Operation operation : server.operations().orElse(List.of())) {
        if (operation.scope() != Scope.CLUSTER_WIDE) {
          continue;
        }
        Operation other = seen.putIfAbsent(operation.key(), operation);
        Integer first = by.putIfAbsent(operation.key(), server.server());
        if (other != null && first != null && !other.equals(operation)) {
          return Optional.of(
              new HaltReason.DesiredConflicts(operation.key(), first, server.server()));
        }
      }
    }
    return Optional.empty();
  }

  private boolean frozen(Assessment server) {
    return policy.frozen().contains(server.server());
  }
}
