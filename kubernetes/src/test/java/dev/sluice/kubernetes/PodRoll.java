package dev.sluice.kubernetes;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Patience;
import dev.sluice.planner.Policy;
import dev.sluice.roller.LoopSettings;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollLoop;
import dev.sluice.roller.RollRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Whole rolls: the loop, the platform, the journal and the events are real, Kafka is not. */
final class PodRoll {

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
              Duration.ofMinutes(1),
              Duration.ofSeconds(5),
              Duration.ofMinutes(30)));

  private PodRoll() {}

  /** Rolls every server until nothing is left to do, or the roll halts. */
  static Outcome of(Api api, KubernetesSettings settings) throws Exception {
    var reader = new SnapshotReader(api, settings);
    var platform = new KubernetesPlatform(api, reader, settings, Right.ALWAYS, Clock.systemUTC());
    var kafka = new SimKafka(platform, reader.read().servers());
    try (var journal = ConfigMapJournal.open(api, "c");
        var scribe = new RestartScribe(api, reader, Clock.systemUTC())) {
      journal.asked(new RollRequest(Instant.now(), Optional.empty(), Set.of()));
      return new RollLoop(kafka, kafka, journal, scribe, QUICK).run(Memory.EMPTY, POLICY);
    }
  }
}
