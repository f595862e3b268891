package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.PlannedServer;
import dev.sluice.embedded.Role;
import dev.sluice.integration.GuidePage.Typed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages about rolls have people type is typed, against a cluster with such servers. */
@Tag("acceptance")
class RollGuideIT {

  private static final Duration LIMIT = Duration.ofMinutes(8);
  private static final Set<Role> BOTH = Set.of(Role.BROKER, Role.CONTROLLER);
  private static final Map<Integer, Integer> NONE = Map.of(1, 0, 2, 0, 3, 0, 4, 0);
  private static final Map<Integer, Integer> ALL = Map.of(1, 1, 2, 1, 3, 1, 4, 1);
  private static final Map<Integer, Integer> TWO = Map.of(1, 0, 2, 0, 3, 1, 4, 1);

  @TempDir private Path folder;

  @Test
  void what_the_pages_about_rolls_have_people_type_does_what_they_say() throws Exception {
    var servers = new ArrayList<PlannedServer>();
    IntStream.of(1, 2, 3).forEach(id -> servers.add(new PlannedServer(id, BOTH)));
    servers.add(new PlannedServer(4, Set.of(Role.BROKER)));
    try (var bench = RollBench.start(ClusterPlan.of(servers), folder)) {
      var shell = GuideShell.in(folder).within(LIMIT);
      int typed = 0;
      for (var page : List.of("roll.md", "coming-from-strimzi.md", "troubleshooting.md")) {
        for (var each : GuidePage.read("docs/guide/" + page).typed()) {
          if (each.command().contains("sluice roll ")) {
            type(bench, shell, page, each);
            typed++;
          }
        }
      }
      assertThat(typed).as("commands typed").isGreaterThanOrEqualTo(9);
    }
  }

  private static void type(RollBench bench, GuideShell shell, String page, Typed typed)
      throws Exception {
    var before = bench.starts();
    var said = shell.said(typed.command() + "\necho \"exit status $?\"");
    assertThat(said)
        .as("%s: %s", page, typed.command())
        .contains("exit status 0")
        .contains(expected(typed.command()))
        .doesNotContain("\tat ");
    var restarted = bench.starts();
    restarted.replaceAll((id, starts) -> starts - before.getOrDefault(id, 0));
    assertThat(restarted).as("restarts by " + typed.command()).isEqualTo(restarts(typed.command()));
  }

  private static String expected(String command) {
    return command.contains("status")
        ? " asked for: "
        : command.contains("plan") ? "now: " : "done";
  }

  private static Map<Integer, Integer> restarts(String command) {
    if (command.contains("--server 3,4")) {
      return TWO;
    }
    return command.contains("--reason") ? ALL : NONE;
  }
}
