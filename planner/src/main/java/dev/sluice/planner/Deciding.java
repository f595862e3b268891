package dev.sluice.planner;

import dev.sluice.planner.Assessment.Awaited;
import dev.sluice.planner.batching.Batches;
import dev.sluice.planner.reading.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** One decision, from one view. Lives as long as the decision. */
final class Deciding {

  private final View view;
  private final Memory memory;
  private final Policy policy;
  private final List<Assessment> servers;
  private final QuorumSafety quorum;
  private final Safety safety;
  private final Staging staging;
  private final List<Blocked> blocked = new ArrayList<>();

  Deciding(View seen, Memory memory, Policy policy) {
    this.view = fresh(seen, memory, policy);
    this.memory = memory;
    this.policy = policy;
    this.servers = new Classifier(view, memory, policy).assess();
    Map<Integer, Assessment> byId = new HashMap<>();
    servers.forEach(server -> byId.put(server.server(), server));
    this.quorum = new QuorumSafety(view.quorum(), byId);
    this.safety = new Safety(view, byId, quorum, policy.margin(), Set.of());
    this.staging = new Staging(view.now(), servers, memory, policy, quorum);
  }

  /** No reading decides that is too old, or that was taken before we changed what it shows. */
  private static View fresh(View seen, Memory memory, Policy policy) {
    Instant young = seen.now().minus(policy.patience().readingAgeMax());
    Instant oldest =
        memory
            .lastActed()
            .map(acted -> acted.plusNanos(1))
            .filter(acted -> acted.isAfter(young))
            .orElse(young);
    return seen.withFactsNotBefore(oldest);
  }

  View view() {
    return view;
  }

  List<Assessment> servers() {
    return servers;
  }

  Staging staging() {
    return staging;
  }

  Safety safety() {
    return safety;
  }

  QuorumSafety quorum() {
    return quorum;
  }

  boolean looksAtPartitions() {
    return staging.restartsBrokers() || !awaited().isEmpty();
  }

  Plan plan() {
    Optional<HaltReason> halt = new Halts(view.now(), servers, memory, policy).first();
    if (halt.isPresent()) {
      return halt(halt.get());
    }
    List<Assessment> awaited = awaited();
    if (!awaited.isEmpty()) {
      return hold(new HoldReason.AwaitingReturn(awaited));
    }
    if (staging.nothingToDo()) {
      return new Plan.Done(view.now(), servers, staging.frozen());
    }
    if (view.anotherRoll().isPresent()) {
      return hold(new HoldReason.AnotherRoll(view.anotherRoll().get()));
    }
    return act().map(this::inWindow).orElseGet(this::nothingAllowed);
  }

  List<Blocked> recheck(Plan.Act act) {
    List<Assessment> candidates =
        staging.in(act.stage()).stream()
            .filter(server -> act.targets().containsKey(server.server()))
            .toList();
    List<Blocked> objections = new ArrayList<>();
    for (int id : act.targets().keySet()) {
      if (candidates.stream().noneMatch(server -> server.server() == id)) {
        objections.add(new Blocked(id, new Block.SomethingElseNow(act.stage())));
      }
    }
    if (!objections.isEmpty() || act.stage() == Stage.RECONFIGURE) {
      return objections;
    }
    List<Assessment> allowed = allowed(act.stage(), candidates, new ArrayList<>());
    boolean together =
        act.stage() != Stage.BROKER || brokers(allowed).size() == act.targets().size();
    if (allowed.size() == candidates.size() && !together) {
      blocked.add(new Blocked(act.targets().firstKey(), new Block.NotTogether()));
    }
    return List.copyOf(blocked);
  }

  private List<Assessment> awaited() {
    return servers.stream().filter(server -> server.awaited() == Awaited.YES).toList();
  }

  /** The first stage in which anything is allowed: by safety, not by phase. */
  private Optional<Plan> act() {
    blocked.addAll(staging.blocked());
    for (Stage stage : Stage.values()) {
      Optional<Plan> act = act(stage, staging.in(stage));
      if (act.isPresent()) {
        return act;
      }
    }
    return Optional.empty();
  }

  private Optional<Plan> act(Stage stage, List<Assessment> candidates) {
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    if (stage == Stage.RECONFIGURE) {
      Assessment first = candidates.getFirst();
      Need change = new Need.Reconfigure(first.operations().orElseThrow());
      return Optional.of(act(stage, new TreeMap<>(Map.of(first.server(), change)), List.of()));
    }
    List<Blocked> exempted = new ArrayList<>();
    List<Assessment> allowed = allowed(stage, candidates, exempted);
    if (allowed.isEmpty()) {
      return Optional.empty();
    }
    SortedMap<Integer, Need> targets = new TreeMap<>();
    batch(stage, allowed).forEach(server -> targets.put(server.server(), server.need()));
    exempted.removeIf(skipped -> !targets.containsKey(skipped.server()));
    return Optional.of(act(stage, targets, exempted));
  }

  private List<Assessment> allowed(
      Stage stage, List<Assessment> candidates, List<Blocked> exempted) {
    SortedMap<Integer, List<Block>> blocks = safety.blocks(candidates);
    List<Assessment> allowed = new ArrayList<>();
    for (Assessment server : candidates) {
      List<Block> own = new ArrayList<>(blocks.getOrDefault(server.server(), List.of()));
      if (stage == Stage.ACTIVE_CONTROLLER) {
        otherControllers().ifPresent(own::add);
      }
      if (stage == Stage.NOT_READY && !(server.condition() instanceof Condition.NotReady)) {
        own.add(Staging.blockOf(server)); // here by exemption only, and that is recorded
      }
      boolean free = true;
      for (Block block : own) {
        boolean exempt = policy.exempts(server.server(), block.rule());
        (exempt ? exempted : blocked).add(new Blocked(server.server(), block));
        free &= exempt;
      }
      if (free) {
        allowed.add(server);
      }
    }
    return allowed;
  }

  private Optional<Block> otherControllers() {
    List<Integer> others = new ArrayList<>();
    staging.in(Stage.CONTROLLER).forEach(server -> others.add(server.server()));
    staging.in(Stage.COMBINED).forEach(server -> others.add(server.server()));
    return others.isEmpty() ? Optional.empty() : Optional.of(new Block.ActiveGoesLast(others));
  }

  private List<Assessment> batch(Stage stage, List<Assessment> allowed) {
    return switch (stage) {
      case NOT_RUNNING -> startBatch(allowed);
      case NOT_READY ->
          quorum.lostByAllAccounts() ? votersOfNoQuorum(allowed) : List.of(allowed.getFirst());
      case BROKER -> brokers(allowed);
      case RECONFIGURE, CONTROLLER, COMBINED, ACTIVE_CONTROLLER -> List.of(allowed.getFirst());
    };
  }

  private List<Assessment> startBatch(List<Assessment> allowed) {
    if (!allowed.getFirst().controller()) {
      return allowed.subList(0, Math.min(policy.maxParallel(), allowed.size()));
    }
    return quorum.lost() || quorum.unseen()
        ? votersOfNoQuorum(allowed)
        : List.of(allowed.getFirst());
  }

  /** One voter alone may bring no quorum back, and there is none that all of them could harm. */
  private List<Assessment> votersOfNoQuorum(List<Assessment> allowed) {
    List<Assessment> voters =
        allowed.stream()
            .filter(server -> server.controller() && quorum.votes(server.server()))
            .toList();
    return voters.isEmpty() ? List.of(allowed.getFirst()) : voters;
  }

  private List<Assessment> brokers(List<Assessment> allowed) {
    Optional<PartitionSafety> partitions = safety.partitions();
    if (allowed.isEmpty()) {
      return allowed;
    }
    if (partitions.isEmpty()) {
      return List.of(allowed.getFirst()); // a person said so, for each of them
    }
    List<Integer> ids = allowed.stream().map(Assessment::server).toList();
    int[] first = Batches.of(partitions.get().puzzle(ids, policy.maxParallel())).getFirst();
    List<Assessment> batch = new ArrayList<>();
    for (int node : first) {
      batch.add(allowed.get(node));
    }
    return batch;
  }

  private Plan act(Stage stage, SortedMap<Integer, Need> targets, List<Blocked> exempted) {
    List<Notice> notices = stage == Stage.RECONFIGURE ? List.of() : notices(targets.keySet());
    return new Plan.Act(view.now(), servers, stage, targets, notices, exempted, blocked);
  }

  private List<Notice> notices(Set<Integer> targets) {
    List<Notice> notices = new ArrayList<>();
    List<Assessment> acted =
        servers.stream().filter(server -> targets.contains(server.server())).toList();
    Duration about = Forecaster.estimate(acted, memory, policy);
    if (acted.stream().anyMatch(quorum::interrupts)) {
      notices.add(new Notice.NoQuorum(about));
    }
    safety
        .partitions()
        .ifPresent(
            known -> {
              var none = known.withNoneToSpare(targets);
              if (none.count() > 0) {
                notices.add(new Notice.Unavailable(none.named(), none.count(), about));
              }
              if (known.marginReduced() > 0) {
                notices.add(new Notice.MarginReduced(known.marginReduced(), policy.margin()));
              }
            });
    return notices;
  }

  private Plan inWindow(Plan act) {
    List<MaintenanceWindow> windows = policy.windows();
    if (windows.isEmpty() || windows.stream().anyMatch(window -> window.contains(view.now()))) {
      return act;
    }
    Instant opening =
        windows.stream()
            .map(window -> window.nextOpening(view.now()))
            .min(Instant::compareTo)
            .orElseThrow();
    return hold(new HoldReason.OutOfWindow(opening));
  }

  private Plan nothingAllowed() {
    Optional<Instant> since = memory.blockedSince();
    Duration waited = Duration.between(since.orElse(view.now()), view.now());
    return waited.compareTo(policy.patience().holdMax()) >= 0
        ? halt(new HaltReason.NothingMoved(waited, blocked))
        : hold(new HoldReason.EverythingBlocked(blocked));
  }

  private Plan hold(HoldReason why) {
    return new Plan.Hold(view.now(), servers, why);
  }

  private Plan halt(HaltReason why) {
    return new Plan.Halt(view.now(), servers, why);
  }
}
