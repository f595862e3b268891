package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ValuesTest {

  @Test
  void facts_survive_the_way_over_the_wire() {
    var never =
        new ServerFacts(
            3, 0, false, false, OptionalInt.empty(), Instant.EPOCH, Instant.EPOCH, 0, "", "a");
    var ended =
        new ServerFacts(
            4,
            99,
            false,
            false,
            OptionalInt.of(137),
            Instant.ofEpochMilli(1_234),
            Instant.ofEpochMilli(5_678),
            7,
            "a",
            "b");

    assertThat(ServerFacts.parse(never.line())).isEqualTo(never);
    assertThat(ServerFacts.parse(ended.line())).isEqualTo(ended);
  }

  @Test
  void a_request_survives_the_way_over_the_wire() {
    var request = new SupervisorRequest(SupervisorVerb.RESTART, 3, 1_500, 7);

    assertThat(SupervisorRequest.parse(request.line())).isEqualTo(request);
    assertThatThrownBy(() -> SupervisorRequest.parse("stop 3"))
        .hasMessage("Expected verb, server id, limit and starts, found: stop 3");
  }

  @Test
  void the_address_of_a_supervisor_does_not_show_its_token() {
    assertThat(new SupervisorAddress(1, "secret", 2).toString()).doesNotContain("secret");
  }

  @Test
  void chosen_ports_differ_and_lie_below_those_of_outgoing_connections() {
    List<Integer> ports = PortChooser.byChance().choose(20);

    assertThat(new HashSet<>(ports)).hasSize(20);
    assertThat(ports).allMatch(port -> port < 32_768);
  }

  @Test
  void ports_in_a_row_are_given_once() {
    var first = FreePorts.inARow(3);
    var others = IntStream.range(0, 20).map(_ -> FreePorts.inARow(3));

    assertThat(others.boxed()).noneMatch(other -> Math.abs(other - first) < 3);
  }

  @Test
  void a_plan_needs_both_roles_and_every_id_once() {
    var broker = new PlannedServer(1, Set.of(Role.BROKER));
    var both = new PlannedServer(1, Set.of(Role.values()));

    assertThatThrownBy(() -> ClusterPlan.of(List.of(broker)))
        .hasMessageStartingWith("Expected at least one controller");
    assertThatThrownBy(() -> ClusterPlan.of(List.of(broker, both)))
        .hasMessageStartingWith("Expected every server id once");
  }

  @Test
  void a_property_of_one_server_wins_over_one_of_all_and_that_over_the_built_in() {
    var plan =
        ClusterPlan.combined(2)
            .withProperty("num.io.threads", "5")
            .withProperty("num.network.threads", "6")
            .withServerProperty(2, "num.io.threads", "7");
    var ports = new ClusterPorts(Map.of(1, 11, 2, 12), Map.of(1, 21, 2, 22));
    var properties = new ServerProperties(plan, ports);

    assertThat(properties.of(plan.servers().get(0), Path.of("data")))
        .containsEntry("num.io.threads", "5")
        .containsEntry("num.network.threads", "6")
        .containsEntry("min.insync.replicas", "1")
        .containsEntry("listeners", "PLAINTEXT://127.0.0.1:11,CONTROLLER://127.0.0.1:21");
    assertThat(properties.of(plan.servers().get(1), Path.of("data")))
        .containsEntry("num.io.threads", "7")
        .containsEntry("controller.quorum.bootstrap.servers", "127.0.0.1:21,127.0.0.1:22");
  }
}
