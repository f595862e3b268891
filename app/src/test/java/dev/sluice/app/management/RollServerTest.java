package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.ClusterState;
import dev.sluice.planner.Condition;
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
import dev.sluice.proxy.Metric;
import dev.sluice.roller.Actuator.Performed;
import dev.sluice.roller.Look;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollScribe;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollServerTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final RollScribe scribe = new RollScribe();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final RollMeters meters = new RollMeters(registry);

  /** One broker that runs another revision than the desired one. */
  private static View view() {
    var reading =
        new ServerReading(
            3,
            Set.of(Role.BROKER),
            Fact.known(
                new PlatformReading(
                    Phase.RUNNING, NOW.minusSeconds(900), true, "", "a", "b", List.of()),
                NOW),
            Fact.known(RecoveryReading.NOT_RECOVERING, NOW),
            Fact.known(true, NOW),
            Fact.known(false, NOW),
            Fact.known(Differences.NONE, NOW));
    var quorum = new QuorumReading(OptionalInt.of(9), List.of(), List.of(), Duration.ofSeconds(2));
    return new View(
        NOW,
        new TreeMap<>(Map.of(3, reading)),
        Fact.known(quorum, NOW),
        Fact.known(Partitions.NONE, NOW),
        Fact.known(Reassignments.NONE, NOW),
        Optional.empty());
  }

  private void act() {
    var look = Look.of(view());
    var act = (Plan.Act) Planner.next(look.view(), Memory.EMPTY, Policy.DEFAULT);
    for (var listener : List.of(scribe, meters)) {
      listener.decided(look, act);
      listener.acting(act);
      listener.acted(act, List.of(new Performed(3, Optional.of("refused"))));
    }
  }

  @Test
  void before_the_first_look_there_is_nothing_to_tell() throws Exception {
    try (var server = RollServer.start(0, scribe, registry::scrape)) {
      var answer = get(server, "/api/v1/rolls/current");

      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }
  }

  @Test
  void a_roll_tells_what_it_thinks_and_what_it_did() throws Exception {
    act();
    try (var server = RollServer.start(0, scribe, registry::scrape)) {
      assertThat(get(server, "/api/v1/rolls/current").body())
          .contains("\"state\":\"Rolling\"")
          .contains("\"condition\":\"Steady\"")
          .contains("runs revision 'a', desired is 'b'")
          .contains("\"failure\":\"refused\"");
    }
  }

  @Test
  void a_roll_is_measured() throws Exception {
    act();
    try (var server = RollServer.start(0, scribe, registry::scrape)) {
      assertThat(get(server, "/metrics").body())
          .contains("sluice_roll_server_state{server=\"3\",state=\"Steady\"} 1.0")
          .contains("sluice_roll_server_state{server=\"3\",state=\"Unknown\"} 0.0")
          .contains("sluice_roll_actions_total{action=\"restart\",outcome=\"failed\"} 1.0")
          .contains("sluice_roll_blocked_partitions 0.0")
          .contains("sluice_roll_batch_size 1.0")
          .contains("sluice_roll_state{state=\"Rolling\"} 1.0")
          .contains("sluice_roll_state{state=\"Halted\"} 0.0");
    }
  }

  @Test
  void how_a_roll_ended_is_left_in_a_file(@TempDir Path directory) throws Exception {
    var file = directory.resolve("roll.prom");
    var left = new MetricsFile(file, registry::scrape);
    var stopped = new Outcome.Stopped("time is up");
    act();
    for (var listener : List.of(meters, left)) {
      listener.ended(stopped);
    }

    assertThat(Files.readString(file))
        .contains("sluice_roll_ended{outcome=\"stopped\"} 1.0")
        .contains("sluice_roll_ended{outcome=\"halted\"} 0.0")
        .contains("sluice_roll_state{state=\"Rolling\"} 0.0");
    assertThat(directory).isDirectoryNotContaining(path -> !path.equals(file));
  }

  @Test
  void all_that_is_measured_of_a_roll_is_defined_and_the_other_way_round() {
    act();

    assertThat(registry.getMeters())
        .extracting(meter -> meter.getId().getName())
        .containsAll(RollMeters.METRICS.stream().map(Metric::name).toList())
        .isSubsetOf(RollMeters.METRICS.stream().map(Metric::name).toList());
  }

  @Test
  void every_condition_of_a_server_and_every_state_of_a_roll_has_its_series() {
    assertThat(labelValues("state", RollMeters.METRICS.getFirst()))
        .containsExactlyInAnyOrderElementsOf(names(ClusterState.class));
    assertThat(labelValues("state", RollMeters.METRICS.get(2)))
        .containsExactlyInAnyOrderElementsOf(names(Condition.class));
  }

  private static List<String> labelValues(String name, Metric metric) {
    return metric.labels().stream()
        .filter(label -> label.name().equals(name))
        .findFirst()
        .orElseThrow()
        .values();
  }

  private static List<String> names(Class<?> sealed) {
    return Stream.of(sealed.getPermittedSubclasses()).map(Class::getSimpleName).toList();
  }

  private static HttpResponse<String> get(RollServer server, String path) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var uri = URI.create("http://127.0.0.1:" + server.port() + path);
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
  }
}
