package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.integration.Pulse.Answers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one virtual cluster's clients wait for answers while another is abused, beside what they
 * wait while nobody is, and while the same is done to the same servers without the proxy: in turns,
 * within one run. What it tells is kept in docs/testing.md.
 */
class LatencyUnderAbuseIT {

  /** Of each pulse, in each phase. */
  private static final int ANSWERS = Integer.getInteger("abuse.answers", 1_000);

  /**
   * For how many answers each kind goes on before the turns begin. Meanwhile the proxy's code for
   * it is compiled, and the compiler wants the proxy's processor, too.
   */
  private static final int WARMING = Integer.getInteger("abuse.warming", 5_000);

  /** How often each kind has its turn then. */
  private static final int ROUNDS = Integer.getInteger("abuse.rounds", 5);

  /** Is asserted where it is said: on a machine that does other things p99 tells of these. */
  private static final double MOST_TIMES_QUIET =
      Double.parseDouble(System.getProperty("abuse.most", "Infinity"));

  @TempDir Path folder;

  /** Both kinds of answers in one phase. */
  private record Waits(Answers produced, Answers roundTrips) {
    double produce() {
      return produced.quantile(0.99);
    }

    double roundTrip() {
      return roundTrips.quantile(0.99);
    }
  }

  /** One kind's turn. */
  private record Turn(Waits quiet, Waits abused, Waits control) {
    double produceTimes() {
      return abused.produce() / quiet.produce();
    }

    double roundTripTimes() {
      return abused.roundTrip() / quiet.roundTrip();
    }

    static double median(List<Turn> turns, ToDoubleFunction<Turn> of) {
      return turns.stream().mapToDouble(of).sorted().toArray()[turns.size() / 2];
    }
  }

  @Test
  @Tag("acceptance")
  void others_are_answered_also_while_one_is_abused() throws Exception {
    assumeTrue(
        Processor.canBeChosen(),
        "SKIPPED: wants two processors, taskset, chrt and the right to use them");
    var first = new EnumMap<Abuse, Waits>(Abuse.class);
    var turns = new EnumMap<Abuse, List<Turn>>(Abuse.class);
    try (var stage = new AbuseApart(folder)) {
      var servers = stage.bootstrapServers();
      var topic = new Clients(servers).topic(1, 1);
      try (var producing = Pulse.producing(servers, topic);
          var asking = Pulse.roundTrips(servers)) {
        stage.comeFirst();
        for (var abuse : kinds()) {
          first.put(abuse, first(stage, abuse, producing, asking));
        }
        for (int round = 0; round < ROUNDS; round++) {
          for (var abuse : kinds()) {
            turns
                .computeIfAbsent(abuse, _ -> new ArrayList<>())
                .add(turn(stage, abuse, producing, asking));
          }
        }
      }
    }
    report(first, turns);
    assertThat(turns)
        .allSatisfy(
            (abuse, all) -> {
              assertThat(Turn.median(all, Turn::produceTimes))
                  .as("produce, %s", abuse)
                  .isLessThanOrEqualTo(MOST_TIMES_QUIET);
              assertThat(Turn.median(all, Turn::roundTripTimes))
                  .as("round trip, %s", abuse)
                  .isLessThanOrEqualTo(MOST_TIMES_QUIET);
            });
  }

  private static Set<Abuse> kinds() {
    var asked = System.getProperty("abuse.kinds", "");
    return asked.isEmpty()
        ? EnumSet.allOf(Abuse.class)
        : Arrays.stream(asked.split(",", -1))
            .map(Abuse::valueOf)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Abuse.class)));
  }

  /** What it is like when the proxy meets this kind for the first time; it goes on for longer. */
  private static Waits first(AbuseApart stage, Abuse abuse, Pulse producing, Pulse asking)
      throws IOException {
    stage.abuser().begin(abuse, stage.proxied());
    var first = waits(producing, asking, ANSWERS);
    var _ = waits(producing, asking, WARMING);
    var _ = stage.abuser().end();
    stage.awaitLeft();
    stage.abuser().begin(abuse, stage.straight());
    var _ = waits(producing, asking, ANSWERS);
    var _ = stage.abuser().end();
    System.out.printf(
        "FIRST: %s: p99 of produce %.2f ms, of round trip %.2f ms%n",
        abuse.shown(), first.produce(), first.roundTrip());
    return first;
  }

  private static Turn turn(AbuseApart stage, Abuse abuse, Pulse producing, Pulse asking)
      throws IOException {
    var quiet = waits(producing, asking, ANSWERS);
    stage.abuser().begin(abuse, stage.proxied());
    var abused = waits(producing, asking, ANSWERS);
    var counts = stage.abuser().end();
    stage.awaitLeft();
    stage.abuser().begin(abuse, stage.straight());
    var control = waits(producing, asking, ANSWERS);
    var straight = stage.abuser().end();
    System.out.printf(
        "TURN: %s: p99 of produce %.2f, %.2f, %.2f ms, of round trip %.2f, %.2f, %.2f ms;"
            + " %,d attempts, %,d straight%n",
        abuse.shown(),
        quiet.produce(),
        abused.produce(),
        control.produce(),
        quiet.roundTrip(),
        abused.roundTrip(),
        control.roundTrip(),
        counts.attempts(),
        straight.attempts());
    assertThat(counts.connections()).as("of %s", abuse).isPositive();
    return new Turn(quiet, abused, control);
  }

  private static Waits waits(Pulse producing, Pulse asking, int answers) {
    var _ = producing.taken();
    var _ = asking.taken();
    await()
        .atMost(Clients.PATIENCE)
        .until(() -> Math.min(producing.count(), asking.count()) >= answers);
    return new Waits(producing.taken(), asking.taken());
  }

  /** As rows of a table. */
  private static void report(Map<Abuse, Waits> first, Map<Abuse, List<Turn>> turns) {
    turns.forEach(
        (abuse, all) -> {
          var met = Objects.requireNonNull(first.get(abuse));
          System.out.printf(
              "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |%n",
              abuse.shown(),
              Turn.median(all, one -> one.quiet().produce()),
              Turn.median(all, one -> one.abused().produce()),
              Turn.median(all, one -> one.control().produce()),
              Turn.median(all, Turn::produceTimes),
              met.produce(),
              Turn.median(all, one -> one.quiet().roundTrip()),
              Turn.median(all, one -> one.abused().roundTrip()),
              Turn.median(all, one -> one.control().roundTrip()),
              Turn.median(all, Turn::roundTripTimes),
              met.roundTrip());
        });
  }
}
