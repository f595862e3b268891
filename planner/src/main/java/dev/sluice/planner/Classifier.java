package dev.sluice.planner;

import dev.sluice.planner.Assessment.Awaited;
import dev.sluice.planner.ServerMemory.Outstanding;
import dev.sluice.planner.configuration.Differences;
import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.Fact.Missing;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gives every server its condition and its need. */
final class Classifier {

  /** Clocks that differ by more than this tell nothing about what was before what. */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

  private final Instant now;
  private final Fact<Partitions> partitions;
  private final View view;
  private final Memory memory;
  private final Policy policy;
  private final Patience patience;

  /**
   * @param view of facts that are young enough to decide on
   */
  Classifier(View view, Memory memory, Policy policy) {
    this.now = view.now();
    this.partitions = view.partitions();
    this.view = view;
    this.memory = memory;
    this.policy = policy;
    this.patience = policy.patience();
  }

  List<Assessment> assess() {
    return view.servers().values().stream().map(this::assess).toList();
  }

  private Assessment assess(ServerReading server) {
    ServerMemory known = memory.of(server.id());
    int lacking = lacking(server);
    Condition condition = condition(server, known, lacking);
    Optional<Instant> process =
        server.platform() instanceof Known<PlatformReading>(PlatformReading platform, _)
            ? Optional.of(platform.since())
            : Optional.empty();
    return new Assessment(
        server.id(),
        server.roles(),
        condition,
        need(server, known, condition),
        server.configuration() instanceof Known<Differences>(Differences differ, _)
            ? Optional.of(differ.operations())
            : Optional.empty(),
        process,
        Math.max(0, lacking),
        server.broker() && server.fenced() instanceof Known<Boolean>(Boolean fenced, _) && fenced,
        known
            .outstanding()
            .map(outstanding -> awaited(outstanding, known, condition, process))
            .orElse(Awaited.NO));
  }

  // --- the condition

  private Condition condition(ServerReading server, ServerMemory known, int lacking) {
    return switch (server.platform()) {
      case Missing<PlatformReading>(String why) -> new Condition.Unknown("its platform: " + why);
      case Known<PlatformReading>(PlatformReading platform, _) when fromTheFuture(platform) ->
          new Condition.Unknown(clocksDiffer(platform));
      case Known<PlatformReading>(PlatformReading platform, _) when platform.running() ->
          running(server, platform, known, lacking);
      case Known<PlatformReading>(PlatformReading platform, _) -> notRunning(platform);
    };
  }

  private boolean fromTheFuture(PlatformReading platform) {
    return platform.since().isAfter(now.plus(CLOCKS_DIFFER));
  }

  private static String clocksDiffer(PlatformReading platform) {
    return "by its clock it began at " + platform.since() + ", so the clocks differ";
  }

  private Condition notRunning(PlatformReading platform) {
    return switch (platform.phase()) {
      case CANNOT_START -> new Condition.NotRunning(said(platform.why()), platform.since());
      case ABSENT, PENDING ->
          lasts(platform.since(), patience.startGrace())
              ? new Condition.NotRunning(
                  "not started for "
                      + Said.duration(patience.startGrace())
                      + ": "
                      + said(platform.why()),
                  platform.since())
              : new Condition.Starting(platform.since());
      case RUNNING -> throw new IllegalStateException("expected a phase without a process");
    };
  }

  private static String said(String why) {
    return why.isBlank() ? "the platform says no more" : why;
  }

  private Condition running(
      ServerReading server, PlatformReading platform, ServerMemory known, int lacking) {
    if (server.recovery() instanceof Known<RecoveryReading>(RecoveryReading recovery, _)
        && recovery.recovering()) {
      return recovering(recovery, known);
    }
    if (!platform.ready()) {
      return notServing(server, platform, "the platform says that it is not ready");
    }
    return switch (server.answering()) {
      case Missing<Boolean>(String why) -> new Condition.Unknown("whether it answers: " + why);
      case Known<Boolean>(Boolean answers, _) when !answers ->
          notServing(server, platform, "it does not answer");
      case Known<Boolean> _ -> serving(server, platform, known, lacking);
    };
  }

  private Condition recovering(RecoveryReading recovery, ServerMemory known) {
    Condition seen =
        new Condition.Recovering(recovery.logs(), recovery.segments(), Optional.empty());
    Instant moved = Progress.after(known.progress(), seen, now).map(Progress::at).orElse(now);
    Duration still = Duration.between(moved, now);
    return still.compareTo(patience.recoveryStallMax()) < 0
        ? seen
        : new Condition.Recovering(recovery.logs(), recovery.segments(), Optional.of(still));
  }

  /** Only a probe that positively denies a recovery makes it not ready; silence does not. */
  private Condition notServing(ServerReading server, PlatformReading platform, String why) {
    if (!lasts(platform.since(), patience.startGrace())) {
      return new Condition.Starting(platform.since());
    }
    return switch (server.recovery()) {
      case Known<RecoveryReading> _ -> new Condition.NotReady(why, platform.since());
      case Missing<RecoveryReading>(String silence) ->
          new Condition.Unknown(why + ", and whether it recovers is not known: " + silence);
    };
  }

  private Condition serving(
      ServerReading server, PlatformReading platform, ServerMemory known, int lacking) {
    if (server.broker()) {
      switch (server.fenced()) {
        case Missing<Boolean>(String why) -> {
          return new Condition.Unknown("whether it is fenced: " + why);
        }
        case Known<Boolean>(Boolean fenced, _) when fenced -> {
          return new Condition.CatchingUp(true, 0, Optional.empty());
        }
        case Known<Boolean> _ -> {}
      }
    }
    return settling(server, platform, known, lacking);
  }

  private Condition settling(
      ServerReading server, PlatformReading platform, ServerMemory known, int lacking) {
    if (known.outstanding().isPresent() && server.broker()) {
      if (lacking < 0) {
        return new Condition.CatchingUp(
            false, Condition.CatchingUp.LACKING_UNKNOWN, Optional.empty());
      }
      int more = lacking - known.outstanding().get().lacking();
      if (more > 0) {
        return new Condition.CatchingUp(false, more, Optional.empty());
      }
    }
    Instant since =
        known.outstanding().isPresent() ? known.settledSince().orElse(now) : platform.since();
    return lasts(since, patience.steadyHold())
        ? new Condition.Steady()
        : new Condition.CatchingUp(false, 0, Optional.of(since));
  }

  private int lacking(ServerReading server) {
    return switch (partitions) {
      case Known<Partitions>(Partitions read, _) -> read.outOfSync(server.id());
      case Missing<Partitions> _ -> Condition.CatchingUp.LACKING_UNKNOWN;
    };
  }

  private boolean lasts(Instant since, Duration atLeast) {
    return Duration.between(since, now).compareTo(atLeast) >= 0;
  }

  // --- the need

  private Need need(ServerReading server, ServerMemory known, Condition condition) {
    List<RestartReason> reasons = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    switch (server.platform()) {
      case Known<PlatformReading>(PlatformReading platform, _) -> {
        platformReasons(platform, known, reasons);
        if (fromTheFuture(platform) && !platform.asked().isEmpty()) {
          unknown.add(clocksDiffer(platform)); // whether it has done what was asked for
        }
      }
      case Missing<PlatformReading>(String why) -> unknown.add("its platform: " + why);
    }
    List<Operation> operations = List.of();
    switch (server.configuration()) {
      case Known<Differences>(Differences differ, _) -> {
        operations = differ.operations();
        if (!differ.readOnly().isEmpty()) {
          reasons.add(new RestartReason.KeysDiffer(differ.readOnly()));
        }
      }
      case Missing<Differences>(String why) -> unknown.add("its configuration: " + why);
    }
    if (!operations.isEmpty() && known.reconfigurations() >= policy.maxReconfigurations()) {
      reasons.add(
          new RestartReason.ChangeHadNoEffect(
              operations.stream().map(Operation::key).distinct().toList()));
    }
    if (condition instanceof Condition.NotReady(String why, _)) {
      reasons.add(new RestartReason.DoesNotServe(why));
    }
    if (!reasons.isEmpty()) {
      return new Need.Restart(reasons);
    }
    if (!operations.isEmpty()) {
      return new Need.Reconfigure(operations);
    }
    return unknown.isEmpty()
        ? new Need.Nothing()
        : new Need.Undetermined(String.join("; ", unknown));
  }

  private static void platformReasons(
      PlatformReading platform, ServerMemory known, List<RestartReason> reasons) {
    if (!platform.revisionRunning().equals(platform.revisionDesired())) {
      reasons.add(
          new RestartReason.RevisionDiffers(
              platform.revisionRunning(), platform.revisionDesired()));
    }
    for (PlatformReading.Asked asked : platform.asked()) {
      var reason = new RestartReason.Asked(asked.kind(), asked.detail(), asked.at());
      boolean done =
          platform.running()
              && (platform.since().isAfter(asked.at()) || known.restartedFor(reason, platform));
      if (!done) {
        reasons.add(reason);
      }
    }
  }

  // --- what we wait for

  private Awaited awaited(
      Outstanding outstanding, ServerMemory known, Condition condition, Optional<Instant> process) {
    boolean same = process.isPresent() && process.equals(outstanding.process());
    boolean sameState =
        condition instanceof Condition.Steady || condition instanceof Condition.NotRunning;
    if (same && sameState) {
      return lasts(outstanding.at(), patience.actionGrace()) ? Awaited.NOT_BEGUN : Awaited.YES;
    }
    if (!same && condition instanceof Condition.Steady) {
      return Awaited.RETURNED;
    }
    Instant moved =
        Progress.after(known.progress(), condition, now).map(Progress::at).orElse(outstanding.at());
    return lasts(moved, patience.returnBudget()) ? Awaited.OVERDUE : Awaited.YES;
  }
}
