package dev.sluice.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * What people reported about rolls elsewhere and no other test answers; the page names them all.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FieldReportsTest {

  private static final Path MODULES = Path.of("..");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*)\\.([a-z]\\w*)`");

  @Test
  void a_cluster_that_is_starting_is_not_restarted_by_force() {
    SimCluster cluster =
        SimCluster.of().brokers(0, 1, 2).notReady(0, 1, 2).startedNow(0, 1, 2).allOutdated();

    Plan plan = Planner.next(cluster.view(), Memory.EMPTY, Policy.DEFAULT);

    assertThat(plan).isInstanceOf(Plan.Hold.class);
    assertThat(plan.sentence()).contains("server 0 is starting");
  }

  @Test
  void nobody_describes_partitions_when_there_is_nothing_to_do() {
    SimCluster cluster = SimCluster.of().brokers(0, 1, 2).topic("t", 2, SimCluster.on(0, 1, 2));

    assertThat(Planner.looksAtPartitions(cluster.view(), Memory.EMPTY, Policy.DEFAULT)).isFalse();
    cluster.outdated(1);
    assertThat(Planner.looksAtPartitions(cluster.view(), Memory.EMPTY, Policy.DEFAULT)).isTrue();
  }

  @Test
  void a_check_that_its_own_restart_makes_false_stops_nothing() {
    SimCluster cluster =
        SimCluster.of()
            .brokers(0, 1, 2)
            .topic("t", 2, SimCluster.on(0, 1, 2), 0, 1, 2)
            .allOutdated();
    List<Integer> away = new ArrayList<>();

    Roll roll =
        Roll.of(
            cluster,
            Policy.DEFAULT,
            Memory.EMPTY,
            (seen, plan) -> {
              away.forEach(each -> seen.inSyncAgain("t", each));
              away.clear();
              if (plan instanceof Plan.Act act) {
                away.addAll(act.targets().keySet());
                away.forEach(each -> seen.leavesSync("t", each));
              }
            });

    assertThat(roll.done()).as(roll.said()).isTrue();
    assertThat(roll.order()).containsExactly(0, 1, 2);
  }

  @Test
  void every_test_that_the_page_names_exists() throws IOException {
    String page = Files.readString(MODULES.resolve("docs/roller-field-reports.md"));
    List<String> named =
        TEST.matcher(page)
            .results()
            .map(match -> match.group(1) + " " + match.group(2))
            .distinct()
            .toList();
    assertThat(named).hasSizeGreaterThan(30);
    assertThat(named).allSatisfy(FieldReportsTest::exists);
  }

  private static void exists(String named) throws IOException {
    String[] parts = named.split(" ", 2);
    try (var files =
        Files.find(
            MODULES,
            12,
            (path, _) ->
                path.endsWith(parts[0] + ".java") && path.toString().contains("src/test/java"))) {
      List<String> sources = new ArrayList<>();
      for (Path file : files.toList()) {
        sources.add(Files.readString(file));
      }
      assertThat(sources).as(named).anyMatch(source -> source.contains("void " + parts[1] + "("));
    }
  }
}
