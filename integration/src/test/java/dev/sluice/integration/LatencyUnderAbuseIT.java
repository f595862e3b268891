package dev.sluice.integration;

import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.integration.Pulse.Answers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one virtual cluster's clients wait for answers while another is abused, beside what they
 * wait while nobody is: in turns, within one run. Without watching buffers. What it tells is kept
 * in docs/testing.md; it fails if somebody is not answered.
 */
@ExtendWith(KafkaCluster.class)
class LatencyUnderAbuseIT {

  /** Of the pulse, in each phase. */
  private static final int ANSWERS = Integer.getInteger("abuse.answers", 1_200);

  @TempDir Path folder;

  /** Both kinds of answers in one phase. */
  private record Waits(Answers produced, Answers roundTrips) {

    static Waits of(List<Waits> all) {
      return new Waits(
          Answers.of(all.stream().map(Waits::produced).toList()),
          Answers.of(all.stream().map(Waits::roundTrips).toList()));
    }

    String shown() {
      return "produce " + produced.shown() + "; round trip " + roundTrips.shown();
    }
  }

  @Test
  @Tag("acceptance")
  void others_are_answered_also_while_one_is_abused(EmbeddedCluster kafka) throws Exception {
    var quiet = new ArrayList<Waits>();
    var abused = new EnumMap<Abuse, Waits>(Abuse.class);
    try (var stage = new AbuseStage(kafka, AbuseStage.IMPATIENT, folder)) {
      var servers = stage.proxy().bootstrapServers(AbuseStage.WELL);
      var topic = new Clients(servers).topic();
      try (var producing = Pulse.producing(servers, topic);
          var asking = Pulse.roundTrips(servers)) {
        for (int i = 0; i < 3; i++) {
          var _ = waits(producing, asking); // The first of a cold JVM say nothing.
        }
        for (var abuse : Abuse.values()) {
          quiet.add(waits(producing, asking));
          try (var abuser = abuse.begin(stage)) {
            var now = waits(producing, asking);
            abused.put(abuse, now);
            System.out.printf(
                "ABUSE: %s: %,d attempts: %s (quiet before: %s)%n",
                abuse.shown(), abuser.attempts(), now.shown(), quiet.getLast().shown());
          }
          stage.awaitLeft();
        }
      }
    }
    report(quiet, abused);
  }

  private static Waits waits(Pulse producing, Pulse asking) {
    var _ = producing.taken();
    var _ = asking.taken();
    await()
        .atMost(Clients.PATIENCE)
        .until(() -> Math.min(producing.count(), asking.count()) >= ANSWERS);
    return new Waits(producing.taken(), asking.taken());
  }

  private static void report(List<Waits> quiet, Map<Abuse, Waits> abused) {
    var all = Waits.of(quiet);
    System.out.println("QUIET: " + all.shown());
    System.out.println("ABUSED: " + Waits.of(List.copyOf(abused.values())).shown());
    abused.forEach(
        (abuse, now) ->
            System.out.printf(
                "ABUSE: %s: p99 times quiet: produce %.2f, round trip %.2f%n",
                abuse.shown(),
                times(now.produced(), all.produced()),
                times(now.roundTrips(), all.roundTrips())));
  }

  private static double times(Answers now, Answers quiet) {
    return now.quantile(0.99) / quiet.quantile(0.99);
  }
}
