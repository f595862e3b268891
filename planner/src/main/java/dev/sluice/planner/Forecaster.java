package dev.sluice.planner;

import dev.sluice.planner.Forecast.Limiting;
import dev.sluice.planner.Forecast.Step;
import dev.sluice.planner.batching.Batches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Looks ahead: every server that is acted upon is taken to come back, and to be in sync again,
 * before the next step.
 */
final class Forecaster {

  private final Deciding now;
  private final Memory memory;
  private final Policy policy;
  private final List<Step> steps = new ArrayList<>();
  private final List<Blocked> blocked = new ArrayList<>();

  Forecaster(Deciding now, Memory memory, Policy policy) {
    this.now = now;
    this.memory = memory;
    this.policy = policy;
  }

  Forecast forecast() {
    Plan next = now.plan();
    Staging staging = now.staging();
    blocked.addAll(staging.frozen());
    blocked.addAll(staging.blocked());
    Safety safety = ahead();
    together(Stage.NOT_RUNNING);
    alone(Stage.NOT_READY, safety);
    staging.in(Stage.RECONFIGURE).forEach(server -> step(Stage.RECONFIGURE, List.of(server)));
    alone(Stage.CONTROLLER, safety);
    alone(Stage.COMBINED, safety);
    alone(Stage.ACTIVE_CONTROLLER, safety);
    brokers(safety);
    Duration estimate = steps.stream().map(Step::estimate).reduce(Duration.ZERO, Duration::plus);
    return new Forecast(next, steps, estimate, blocked);
  }

  /** How long it takes until the slowest of these is steady. */
  static Duration estimate(List<Assessment> servers, Memory memory, Policy policy) {
    return servers.stream()
        .map(
            server ->
                memory
                    .seen(server.server())
                    .orElseGet(
                        () -> policy.durations().of(server).plus(policy.patience().steadyHold())))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private Safety ahead() {
    Set<Integer> back = new TreeSet<>();
    Map<Integer, Assessment> servers = new HashMap<>();
    for (Assessment server : now.servers()) {
      servers.put(server.server(), server);
      boolean returns =
          switch (server.condition()) {
            case Condition.NotRunning _, Condition.NotReady _ ->
                server.need() instanceof Need.Restart;
            case Condition.Starting _, Condition.CatchingUp _ -> true;
            case Condition.Recovering(_, _, Optional<Duration> stalled) -> stalled.isEmpty();
            case Condition.Unknown _, Condition.Steady _ -> false;
          };
      if (returns) {
        back.add(server.server());
      }
    }
    if (back.isEmpty()) {
      return now.safety();
    }
    return new Safety(now.view(), servers, now.quorum(), policy.margin(), back);
  }

  private void together(Stage stage) {
    List<Assessment> down = now.staging().in(stage);
    List<Assessment> controllers = down.stream().filter(Assessment::controller).toList();
    List<Assessment> brokers = down.stream().filter(server -> !server.controller()).toList();
    if (now.quorum().lost() && !controllers.isEmpty()) {
      step(stage, controllers);
    } else {
      controllers.forEach(server -> step(stage, List.of(server)));
    }
    for (int from = 0; from < brokers.size(); from += policy.maxParallel()) {
      step(stage, brokers.subList(from, Math.min(from + policy.maxParallel(), brokers.size())));
    }
  }

  private void alone(Stage stage, Safety safety) {
    allowed(stage, safety).forEach(server -> step(stage, List.of(server)));
  }

  private void brokers(Safety safety) {
    List<Assessment> allowed = allowed(Stage.BROKER, safety);
    if (allowed.isEmpty() || safety.partitions().isEmpty()) {
      return;
    }
    PartitionSafety partitions = safety.partitions().get();
    List<Integer> ids = allowed.stream().map(Assessment::server).toList();
    List<int[]> batches = Batches.of(partitions.puzzle(ids, policy.maxParallel()));
    List<List<Limiting>> limiting =
        new Limits(partitions, ids, batches, policy.maxParallel()).find();
    for (int i = 0; i < batches.size(); i++) {
      List<Assessment> batch = new ArrayList<>();
      for (int node : batches.get(i)) {
        batch.add(allowed.get(node));
      }
      step(Stage.BROKER, batch, limiting.get(i));
    }
  }

  private List<Assessment> allowed(Stage stage, Safety safety) {
    List<Assessment> candidates = now.staging().in(stage);
    SortedMap<Integer, List<Block>> blocks = safety.blocks(candidates);
    List<Assessment> allowed = new ArrayList<>();
    for (Assessment server : candidates) {
      List<Block> own =
          blocks.getOrDefault(server.server(), List.of()).stream()
              .filter(block -> !policy.exempts(server.server(), block.rule()))
              .toList();
      own.forEach(block -> blocked.add(new Blocked(server.server(), block)));
      if (own.isEmpty()) {
        allowed.add(server);
      }
    }
    return allowed;
  }

  private void step(Stage stage, List<Assessment> servers) {
    step(stage, servers, List.of());
  }

  private void step(Stage stage, List<Assessment> servers, List<Limiting> limiting) {
    SortedMap<Integer, Need> targets = new TreeMap<>();
    for (Assessment server : servers) {
      targets.put(
          server.server(),
          stage == Stage.RECONFIGURE
              ? new Need.Reconfigure(server.operations().orElseThrow())
              : server.need());
    }
    Duration estimate =
        stage == Stage.RECONFIGURE
            ? policy.durations().reconfiguration()
            : estimate(servers, memory, policy);
    steps.add(new Step(stage, targets, estimate, limiting));
  }
}
