package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.embedded.ClusterPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are restarted by commands, and what a roll tells of itself from beside. */
@Tag("acceptance")
class RollCommandIT {

  private static final Duration ROLL_LIMIT = Duration.ofMinutes(8);

  /** Asks who owns the servers, and tells it in words of the commands. */
  private static final String SCRIPT =
      """
      #!/bin/bash
      set -eu
      folder=$1 verb=$2 id=$3
      value() { sed -n "s/^$1=//p" "$folder/supervisor.properties"; }
      question="facts -1 0 -1"
      if [ "$verb" = restart ]; then question="restart $id 60000 -1"; fi
      exec 3<>"/dev/tcp/127.0.0.1/$(value port)"
      printf '%s\\n%s\\n' "$(value token)" "$question" >&3
      read -r answer <&3
      if [ "$answer" != ok ]; then echo "$answer" >&2; exit 1; fi
      while read -r server _ alive _ _ started ended _ running desired <&3; do
        if [ "$server" != "$id" ]; then continue; fi
        case "$verb $alive" in
          "status true") echo "state=running"; echo "since=$started" ;;
          "status false") echo "state=failed"; echo "since=$ended" ;;
          "revision "*) echo "running=$running"; echo "desired=$desired" ;;
        esac
      done
      """;

  private static final Pattern SERVED = Pattern.compile("(http://127[^/]+)/api/v1/rolls/current");

  @TempDir private Path folder;

  @Test
  void servers_are_rolled_by_commands_and_the_roll_is_told_under_way_halted_and_finished()
      throws Exception {
    try (var bench = RollBench.start(ClusterPlan.combined(3), folder)) {
      bench.configure(commands(bench), RollBench.POLICY.replace("Budget: 90s", "Budget: 20s"));
      assertThat(bench.status()).contains("no roll of this cluster is in the journal");

      change(bench, "1");
      int down = halted(bench);

      change(bench, "104857600");
      bench.configure(commands(bench), RollBench.POLICY);
      finished(bench, down);
      assertThat(bench.down()).isEmpty();
      assertThat(bench.starts())
          .as("starts")
          .allSatisfy((id, starts) -> assertThat(starts).isEqualTo(id == down ? 3 : 2));
    }
  }

  /** With these no server starts, and only the first finds out. */
  private static int halted(RollBench bench) throws Exception {
    try (var roll = bench.run()) {
      assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isEqualTo(3);
    }
    assertThat(bench.down()).hasSize(1);
    int down = bench.down().getFirst();
    var last = last(bench);
    assertThat(last.path("how").asText()).isEqualTo("halted");
    assertThat(last.path("sentence").asText()).contains("server " + down);
    assertThat(bench.status()).contains(" halted: " + last.path("sentence").asText());
    return down;
  }

  private static void finished(RollBench bench, int down) throws Exception {
    try (var roll = bench.run("--serve", "0")) {
      roll.awaitErrors("SERVER "); // a table comes with an action that the journal has
      var served = SERVED.matcher(roll.said());
      assertThat(served.find()).as(roll.said()).isTrue();
      assertThat(last(bench).path("kind").asText()).isEqualTo("acts");
      var seen =
          new ObjectMapper()
              .readTree(
                  RollBench.told(
                      List.of("roll", "status", "--management", served.group(1), "-o", "json")));
      assertThat(seen.path("state").asText()).isNotEmpty().isNotEqualTo("Idle");
      assertThat(seen.path("servers")).hasSize(3);

      assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
      assertThat(RollBench.batches(RollBench.result(roll)))
          .hasSize(3)
          .first()
          .isEqualTo(List.of(down));
    }
    assertThat(last(bench).path("how").asText()).isEqualTo("finished");
    assertThat(bench.status()).contains(" finished: ");
  }

  private static void change(RollBench bench, String segmentBytes) {
    for (var server : bench.kafka().servers()) {
      server.changeProperties(Map.of("log.segment.bytes", segmentBytes));
    }
  }

  /** The last line of the journal, as {@code roll status} has it. */
  private static JsonNode last(RollBench bench) throws Exception {
    var lines = new ObjectMapper().readTree(bench.status("-o", "json")).path("journal");
    assertThat(lines.size()).as("lines of the journal").isPositive();
    return lines.get(lines.size() - 1);
  }

  private String commands(RollBench bench) throws Exception {
    var script = folder.resolve("server.sh");
    Files.writeString(script, SCRIPT);
    return """
        platform:
          command:
            status: [bash, '%1$s', '%2$s', status, "{id}"]
            restart: [bash, '%1$s', '%2$s', restart, "{id}"]
            revision: [bash, '%1$s', '%2$s', revision, "{id}"]
            log: [tail, '-n', '20', '%2$s/server-{id}/server.log']
            restartTimeout: 90s
        servers:
          - { id: 1, roles: [broker, controller] }
          - { id: 2, roles: [broker, controller] }
          - { id: 3, roles: [broker, controller] }\
        """
        .formatted(script, bench.kafka().folder());
  }
}
