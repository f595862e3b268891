package dev.sluice.kubernetes;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Patience;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Policy;
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Journal;
import dev.sluice.roller.Look;
import dev.sluice.roller.LoopSettings;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import dev.sluice.roller.RollLoop;
import dev.sluice.roller.RollRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Whole rolls: the loop, the platform, the journal and the events are real, Kafka is not. */
final class PodRoll {

  /** Renewed every two seconds; a full machine may be late by more than four. */
  private static final Duration LEASE = Duration.ofSeconds(10);

  private static final String CLUSTER = "c";

  private static final LoopSettings QUICK =
      new LoopSettings(Duration.ofMillis(50), Duration.ofMinutes(2), Optional.empty());

  /** Nothing but readiness is waited for. */
  private static final Policy POLICY =
      Policy.DEFAULT.withPatience(
          new Patience(
              Duration.ofSeconds(30),
              Duration.ofMinutes(5),
              Duration.ofMinutes(10),
              Duration.ZERO,
              Duration.ofMinutes(3),
              Duration.ofSeconds(10),
              Duration.ofSeconds(5),
              Duration.ofMinutes(30)));

  private PodRoll() {}

  /** What a roll goes through, again and again. */
  enum Step {
    LOOKED,
    DECIDED,
    ACTING,
    /** It was found that the lease is held, and nothing is ended yet. */
    ABOUT_TO_END,
    ACTED
  }

  /** Hears of every step, on the thread of the roll, which waits for it. */
  interface Witness {
    void at(Step step);

    /** By a thread of the lease. */
    default void lost(String why) {}
  }

  /** Rolls every server until nothing is left to do, or the roll halts. */
  static Outcome of(Api api, KubernetesSettings settings) throws Exception {
    return roll(api, settings, Right.ALWAYS, _ -> {}, new AtomicReference<>());
  }

  /** The same by somebody who needs the lease, and goes on with what another began. */
  static Outcome as(String me, Api api, KubernetesSettings settings, Witness witness)
      throws Exception {
    var loop = new AtomicReference<RollLoop>();
    try (var lease =
        new LeaseWatch(api, CLUSTER, me, LEASE)
            .attempt(
                why -> {
                  loop.get().stopAfterBatch(why);
                  witness.lost(why);
                })
            .orElseThrow()) {
      Right right =
          () -> {
            boolean held = lease.held();
            witness.at(Step.ABOUT_TO_END);
            return held;
          };
      return roll(api, settings, right, witness, loop);
    }
  }

  private static Outcome roll(
      Api api,
      KubernetesSettings settings,
      Right right,
      Witness witness,
      AtomicReference<RollLoop> under)
      throws Exception {
    var reader = new SnapshotReader(api, settings);
    var platform = new KubernetesPlatform(api, reader, settings, right, Clock.systemUTC());
    var kafka = new SimKafka(platform, reader.read().servers());
    try (var journal = ConfigMapJournal.open(api, CLUSTER);
        var scribe = new RestartScribe(api, reader, Clock.systemUTC())) {
      var listener = new Witnessed(scribe, witness);
      var loop = new RollLoop(kafka, kafka, journal, listener, QUICK);
      under.set(loop);
      var before = journal.unfinished();
      if (before.isEmpty()) {
        journal.asked(new RollRequest(Instant.now(), Optional.empty(), Set.of()));
      }
      return loop.run(before.map(Journal.Unfinished::memory).orElse(Memory.EMPTY), POLICY);
    }
  }

  private record Witnessed(RestartScribe scribe, Witness witness) implements RollListener {

    @Override
    public void looked(Duration took) {
      witness.at(Step.LOOKED);
    }

    @Override
    public void decided(Look look, Plan plan) {
      witness.at(Step.DECIDED);
    }

    @Override
    public void acting(Plan.Act act) {
      scribe.acting(act);
      witness.at(Step.ACTING);
    }

    @Override
    public void acted(Plan.Act act, List<Actuator.Performed> performed) {
      witness.at(Step.ACTED);
    }

    @Override
    public void ended(Outcome outcome) {
      scribe.ended(outcome);
    }
  }
}
