package dev.sluice.planner;

import dev.sluice.planner.configuration.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts the servers that need something into the stages of a roll. */
final class Staging {

  private final Instant now;
  private final Memory memory;
  private final Policy policy;
  private final QuorumSafety quorum;
  private final Map<Stage, List<Assessment>> candidates = new EnumMap<>(Stage.class);
  private final List<Blocked> blocked = new ArrayList<>();
  private final List<Blocked> frozen = new ArrayList<>();

  Staging(
      Instant now, List<Assessment> servers, Memory memory, Policy policy, QuorumSafety quorum) {
    this.now = now;
    this.memory = memory;
    this.policy = policy;
    this.quorum = quorum;
    servers.forEach(this::stage);
    candidates
        .values()
        .forEach(
            list ->
                list.sort(
                    Comparator.comparingInt(Staging::weight).thenComparingInt(Assessment::server)));
  }

  /** Who may be acted upon in a stage, as far as their own condition goes. */
  List<Assessment> in(Stage stage) {
    return candidates.getOrDefault(stage, List.of());
  }

  /** Who needs something that their own condition forbids. */
  List<Blocked> blocked() {
    return blocked;
  }

  List<Blocked> frozen() {
    return frozen;
  }

  boolean nothingToDo() {
    return candidates.isEmpty() && blocked.isEmpty();
  }

  /** Whether a restart of a broker is among what is needed, whatever forbids it now. */
  boolean restartsBrokers() {
    return candidates.entrySet().stream()
        .filter(each -> each.getKey() != Stage.RECONFIGURE && each.getKey() != Stage.NOT_RUNNING)
        .anyMatch(each -> each.getValue().stream().anyMatch(Assessment::broker));
  }

  private void stage(Assessment server) {
    boolean changes = changesWhileRunning(server);
    if (server.need() instanceof Need.Nothing && !changes) {
      return;
    }
    if (policy.frozen().contains(server.server())) {
      frozen.add(new Blocked(server.server(), new Block.Frozen()));
      return;
    }
    if (changes) {
      stageChange(server);
    }
    switch (server.need()) {
      case Need.Restart _ -> stageRestart(server);
      case Need.Undetermined(String why) -> block(server, new Block.NeedUnknown(why));
      case Need.Reconfigure _ when !changes -> stageChange(server);
      case Need.Reconfigure _, Need.Nothing _ -> {}
    }
  }

  private boolean changesWhileRunning(Assessment server) {
    List<Operation> operations = server.operations().orElse(List.of());
    return !operations.isEmpty()
        && server.condition().counts()
        && memory.of(server.server()).reconfigurations() < policy.maxReconfigurations();
  }

  private void stageChange(Assessment server) {
    Optional<Instant> changed = memory.of(server.server()).reconfiguredAt();
    Duration settles = policy.patience().changeSettles();
    if (!server.condition().counts()) {
      block(server, blockOf(server));
    } else if (changed.isPresent() && now.isBefore(changed.get().plus(settles))) {
      block(server, new Block.ChangeUnderWay());
    } else {
      add(Stage.RECONFIGURE, server);
    }
  }

  private void stageRestart(Assessment server) {
    switch (server.condition()) {
      case Condition.NotRunning _ -> add(Stage.NOT_RUNNING, server);
      case Condition.NotReady _ -> add(Stage.NOT_READY, server);
      case Condition.Steady _ -> add(steadyStage(server), server);
      case Condition.Unknown _,
          Condition.Starting _,
          Condition.Recovering _,
          Condition.CatchingUp _ -> {
        Block block = blockOf(server);
        if (policy.exempts(server.server(), block.rule())) {
          add(Stage.NOT_READY, server);
        } else {
          block(server, block);
        }
      }
    }
  }

  /** What forbids to act on a server that is in this condition. */
  static Block blockOf(Assessment server) {
    return new Block.InCondition(server.condition());
  }

  private Stage steadyStage(Assessment server) {
    if (!server.controller()) {
      return Stage.BROKER;
    }
    if (quorum.leader().isPresent() && quorum.leader().getAsInt() == server.server()) {
      return Stage.ACTIVE_CONTROLLER;
    }
    return server.broker() ? Stage.COMBINED : Stage.CONTROLLER;
  }

  private void add(Stage stage, Assessment server) {
    candidates.computeIfAbsent(stage, _ -> new ArrayList<>()).add(server);
  }

  private void block(Assessment server, Block why) {
    blocked.add(new Blocked(server.server(), why));
  }

  /** Within a stage: pure controllers, combined servers, brokers. */
  private static int weight(Assessment server) {
    if (!server.controller()) {
      return 2;
    }
    return server.broker() ? 1 : 0;
  }
}
