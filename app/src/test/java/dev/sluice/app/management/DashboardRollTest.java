package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import dev.sluice.planner.configuration.Differences;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.QuorumReading;
import dev.sluice.planner.reading.Reassignments;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.planner.reading.ServerReading;
import dev.sluice.planner.reading.View;
import dev.sluice.roller.Actuator.Performed;
import dev.sluice.roller.Look;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import dev.sluice.roller.RollScribe;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the page shows of a roll, which the planner decides and nobody carries out. Pictures are
 * kept in target/screenshots.
 */
class DashboardRollTest {

  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final int BROKERS = 9;
  private static final int MOST_LOOKS = 100;
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);
  private static final Policy POLICY = Policy.DEFAULT.withMaxParallel(3);

  @TempDir private Path directory;
  private final RollScribe scribe = new RollScribe();
  private final Map<Integer, Instant> started = new TreeMap<>();
  private Memory memory = Memory.EMPTY;
  private Instant now = Instant.parse("2026-01-01T10:00:00Z");

  @Test
  void batches_are_shown_done_under_way_and_to_come_with_what_keeps_them_small() throws Exception {
    try (var browser = Browser.startFor(DashboardRollTest.class, directory);
        var server = RollServer.start(0, scribe, () -> "")) {
      browser.open("http://127.0.0.1:" + server.port() + "/");
      browser.awaitText("#roll-body", "It has not looked at the servers yet.");
      browser.awaitText("#live[data-live=yes]", "live");

      act(server);
      browser.awaitText(".batch[data-is=now]", "under way");
      var second = act(server);
      now = now.plus(BETWEEN_LOOKS);
      decide(server, look(Set.copyOf(second)));

      browser.awaitText(".batch[data-is=done]", "back after");
      browser.awaitText(".batch[data-is=now]", second.getFirst() + " under way");
      assertThat(browser.text(".batch[data-is=next]")).contains("3 · broker", "to come", "about");
      assertThat(browser.text("#roll-body")).contains("What waits on what", "are steady again");
      assertThat(browser.text("[aria-label='partitions that keep batches small']"))
          .contains("cannot join because of", "orders");
      assertThat(browser.text(".progress")).contains("2 of 9 servers are steady");
      browser.resize(1280, 1250);
      browser.screenshot(PICTURES.resolve("roll.png"));
      browser.prefer("dark");
      browser.screenshot(PICTURES.resolve("roll-dark.png"));
      browser.resize(390, 1600);
      browser.screenshot(PICTURES.resolve("roll-narrow.png"));

      ended(server, new Outcome.Stopped("time is up"));
      browser.awaitText("[data-roll]", "stopped");
      assertThat(browser.text("#roll-body .failure")).contains("time is up");
    }
  }

  /** Looks until there is something to do, and has it done. */
  private List<Integer> act(RollServer server) {
    var act = awaitAct(server);
    var done = new ArrayList<Performed>();
    act.targets().keySet().forEach(id -> done.add(new Performed(id, Optional.empty())));
    for (var listener : List.<RollListener>of(scribe, server)) {
      listener.acting(act);
      listener.acted(act, done);
    }
    memory = memory.after(act);
    act.targets().keySet().forEach(id -> started.put(id, now.plusSeconds(1)));
    return List.copyOf(act.targets().keySet());
  }

  private Plan.Act awaitAct(RollServer server) {
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
      switch (decide(server, look(Set.of()))) {
        case Plan.Act act -> {
          return act;
        }
        case Plan.Hold hold -> memory = memory.after(hold);
        case Plan plan -> throw new AssertionError("Expected an act, found " + plan.sentence());
      }
      now = now.plus(BETWEEN_LOOKS);
    }
    throw new AssertionError("Expected an act, found that it only waits");
  }

  private Plan decide(RollServer server, Look look) {
    var then = memory;
    var plan = Planner.next(look.view(), then, POLICY);
    for (var listener : List.<RollListener>of(scribe, server)) {
      listener.foresaw(() -> Planner.forecast(look.view(), then, POLICY));
      listener.decided(look, plan);
    }
    return plan;
  }

  private void ended(RollServer server, Outcome outcome) {
    List.<RollListener>of(scribe, server).forEach(listener -> listener.ended(outcome));
  }

  /**
   * @param away servers that do not answer yet
   */
  private Look look(Set<Integer> away) {
    var servers = new TreeMap<Integer, ServerReading>();
    for (int id = 1; id <= BROKERS; id++) {
      servers.put(id, server(id, !away.contains(id)));
    }
    var quorum = new QuorumReading(OptionalInt.of(99), List.of(), List.of(), Duration.ofSeconds(2));
    return Look.of(
        new View(
            now,
            servers,
            Fact.known(quorum, now),
            Fact.known(partitions(away), now),
            Fact.known(Reassignments.NONE, now),
            Optional.empty()));
  }

  /** Those that were started run what is desired. */
  private ServerReading server(int id, boolean answers) {
    boolean anew = started.containsKey(id);
    var since = started.getOrDefault(id, now.minus(Duration.ofDays(3)));
    return new ServerReading(
        id,
        Set.of(Role.BROKER),
        Fact.known(
            new PlatformReading(
                Phase.RUNNING, since, answers, "", anew ? "b" : "a", "b", List.of()),
            now),
        Fact.known(RecoveryReading.NOT_RECOVERING, now),
        Fact.known(answers, now),
        Fact.known(!answers, now),
        Fact.known(Differences.NONE, now));
  }

  private static Partitions partitions(Set<Integer> away) {
    var all = Partitions.builder().topic("orders", 2);
    for (int number = 0; number < 2 * BROKERS; number++) {
      int[] replicas = {
        1 + number % BROKERS,
        1 + (number + 1) % BROKERS,
        1 + (number + 2 + number / BROKERS) % BROKERS
      };
      int[] inSync = Arrays.stream(replicas).filter(id -> !away.contains(id)).toArray();
      all.partition(number, replicas, inSync);
    }
    return all.build();
  }
}
