package dev.sluice.planner;

import static dev.sluice.planner.SimCluster.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.configuration.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Writes docs/generated/roller-conditions.md: what is seen of a server, and what the classifier
 * really makes of it.
 */
class ConditionsPageTest {

  private static final Path PAGE = Path.of("../docs/generated/roller-conditions.md");

  /** Server 0 is looked at. */
  private static final Map<String, UnaryOperator<SimCluster>> SEEN = new LinkedHashMap<>();

  static {
    SEEN.put("its platform is silent", seen -> seen.platformSilent(0));
    SEEN.put(
        "its platform says that it cannot start", seen -> seen.notRunning("CrashLoopBackOff", 0));
    SEEN.put("no process for longer than the grace", seen -> seen.notRunning("", 0));
    SEEN.put("no process, within the grace", seen -> seen.notRunning("", 0).startedNow(0));
    SEEN.put("a process, not ready, within the grace", seen -> seen.notReady(0).startedNow(0));
    SEEN.put("its probe says that it recovers", seen -> seen.recovering(0, 3, 120));
    SEEN.put("a process, not ready, its probe denies a recovery", seen -> seen.notReady(0));
    SEEN.put("a process, not ready, its probe is silent", seen -> seen.notReady(0).probeSilent(0));
    SEEN.put("ready, does not answer, its probe denies a recovery", seen -> seen.unanswering(0));
    SEEN.put(
        "ready, does not answer, its probe is silent", seen -> seen.unanswering(0).probeSilent(0));
    SEEN.put("ready, fenced", seen -> seen.fenced(true, 0));
    SEEN.put("ready, started this moment", seen -> seen.startedNow(0));
    SEEN.put("ready", seen -> seen);
    SEEN.put("ready, its probe is silent", seen -> seen.probeSilent(0));
    SEEN.put("ready, another revision is desired", seen -> seen.outdated(0));
    SEEN.put(
        "ready, a key differs that only a start changes", seen -> seen.readOnlyKeys(0, "log.dirs"));
    SEEN.put(
        "ready, a key differs that it takes while running",
        seen ->
            seen.changes(
                0, new Operation.Set("compression.type", Scope.CLUSTER_WIDE, "gzip", false)));
    SEEN.put("ready, a restart is asked for", seen -> seen.asked("a new disk", 0));
    SEEN.put(
        "ready, its configuration cannot be read", seen -> seen.configurationUnreadable(true, 0));
  }

  @Test
  void the_page_is_what_the_classifier_says() throws IOException {
    List<String> expected = page();
    if (Boolean.getBoolean("generate")) {
      Files.createDirectories(PAGE.getParent());
      Files.write(PAGE, expected);
    }
    assertThat(Files.readAllLines(PAGE)).as("written with -Dgenerate=true").isEqualTo(expected);
  }

  @Test
  void the_page_shows_every_condition_and_every_need() {
    String page = String.join("\n", page());
    Stream.of(Condition.class, Need.class)
        .flatMap(type -> Stream.of(type.getPermittedSubclasses()))
        .forEach(type -> assertThat(page).contains("| " + type.getSimpleName() + " |"));
  }

  private static List<String> page() {
    List<String> lines = new ArrayList<>();
    lines.add("# Conditions of servers, and the order of a roll");
    lines.add("");
    lines.add(
        "Written by `ConditionsPageTest` from the classifier itself; `-Dgenerate=true` writes it anew.");
    lines.add("");
    lines.add("| seen of a broker | condition | need | said |");
    lines.add("| --- | --- | --- | --- |");
    SEEN.forEach(
        (what, how) -> {
          SimCluster cluster = how.apply(SimCluster.of().brokers(0, 1));
          lines.add(row(what, cluster, Memory.EMPTY));
        });
    lines.add(
        row("ready, out of an in-sync set that it was in before our restart", afterRestart(false)));
    lines.add(row("ready again, and in all its sets, for less than the hold", afterRestart(true)));
    lines.add("");
    lines.add("## Order");
    lines.add("");
    lines.add(
        "The first stage in which anything is safe is acted on. One server at a time, but for brokers that are");
    lines.add(
        "steady, for brokers that do not run, and for the voters of a lost quorum that do not run.");
    lines.add("");
    int place = 1;
    for (Stage stage : Stage.values()) {
      lines.add("%d. %s".formatted(place++, stage.sentence()));
    }
    lines.add("");
    lines.add("## What an exemption can skip");
    lines.add("");
    for (Rule rule : Rule.values()) {
      if (rule != Rule.FROZEN && rule != Rule.PLATFORM) {
        lines.add("* `" + rule + "`");
      }
    }
    return lines;
  }

  private record Remembered(SimCluster cluster, Memory memory) {}

  private static Remembered afterRestart(boolean inSync) {
    SimCluster cluster =
        SimCluster.of().brokers(0, 1, 2).outdated(0).topic("a", 2, on(0, 1, 2), 0, 1, 2);
    Plan.Act act = (Plan.Act) Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);
    cluster.perform(act);
    cluster.leavesSync("a", 0).after(Duration.ofMinutes(1));
    return new Remembered(inSync ? cluster.inSyncAgain("a", 0) : cluster, Memory.EMPTY.after(act));
  }

  private static String row(String what, Remembered remembered) {
    return row(what, remembered.cluster(), remembered.memory());
  }

  private static String row(String what, SimCluster cluster, Memory memory) {
    Assessment server = Planner.assess(cluster.view(), memory, Policy.DEFAULT).getFirst();
    return "| %s | %s | %s | %s |"
        .formatted(
            what,
            server.condition().name(),
            server.need().getClass().getSimpleName(),
            server.sentence());
  }
}
