package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.app.reload.ReloadMeters;
import dev.sluice.app.reload.Reloader;
import dev.sluice.proxy.Proxy;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reloads by call. The Kafka clusters behind are not there: that is nobody's failure here. */
class ReloadCallsTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path directory;
  private Path file;
  private int ports;
  private Proxy proxy;
  private ManagementServer server;

  @BeforeEach
  void start() throws IOException {
    ports = Ports.consecutive(6);
    file = write(cluster("orders", ports, "10s") + cluster("payments", ports + 2, "10s"));
    var reader = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty());
    var began = ((Accepted) reader.read(file)).configuration();
    proxy = Proxy.start(began.proxy(), registry, Clock.systemUTC(), (_, _, _) -> {});
    var files = new ReloadFiles(reader, Optional.of(file));
    var reloader = new Reloader(proxy, files, began, Clock.systemUTC());
    reloader.listen(new ReloadMeters(registry));
    server =
        ManagementServer.start(
            ManagementDoor.of(began.management()),
            Duration.ofSeconds(15),
            proxy,
            reloader,
            registry::scrape);
    await("both serve").atMost(LIMIT).until(() -> states().equals("serving serving"));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    proxy.stop("the test is over").toCompletableFuture().get(60, TimeUnit.SECONDS);
    http.close();
  }

  @Test
  void the_same_file_changes_nothing() throws Exception {
    assertThat(json(post("")).at("/outcome").asText()).isEqualTo("unchanged");
    assertThat(generation("orders")).isEqualTo(1);
  }

  @Test
  void a_changed_cluster_takes_it_and_the_others_are_left_alone() throws Exception {
    write(cluster("orders", ports, "7s") + cluster("payments", ports + 2, "10s"));
    var result = json(post(""));

    assertThat(result.at("/outcome").asText()).isEqualTo("applied");
    assertThat(result.at("/virtualClusters/0/name").asText()).isEqualTo("orders");
    assertThat(result.at("/virtualClusters/0/aspects/0").asText()).isEqualTo("drainTimeout");
    assertThat(result.at("/virtualClusters/0/way").asText()).isEqualTo("in-place");
    assertThat(result.at("/virtualClusters/1/change").asText()).isEqualTo("unchanged");
    assertThat(generation("orders")).isEqualTo(2);
    assertThat(generation("payments")).isEqualTo(1);
    assertThat(json(get("/api/v1/reloads/last"))).isEqualTo(result);
  }

  @Test
  void a_dry_run_tells_and_does_nothing() throws Exception {
    write(cluster("orders", ports, "7s") + cluster("refunds", ports + 4, "10s"));
    var result = json(post("?dryRun=true"));

    assertThat(result.at("/outcome").asText()).isEqualTo("planned");
    assertThat(result.at("/virtualClusters/0/ways/0").asText()).isEqualTo("in-place");
    assertThat(result.findValuesAsText("change")).containsExactly("changed", "removed", "added");
    assertThat(states()).isEqualTo("serving serving");
    assertThat(generation("orders")).isEqualTo(1);
    assertThat(get("/api/v1/reloads/last").statusCode()).isEqualTo(404);
  }

  @Test
  void every_reload_is_found_by_its_number_and_a_dry_run_takes_none() throws Exception {
    post("?dryRun=true");
    var first = json(post(""));
    post("");

    assertThat(first.at("/number").asLong()).isEqualTo(1);
    assertThat(json(get("/api/v1/reloads/1"))).isEqualTo(first);
    assertThat(json(get("/api/v1/reloads/last")).at("/number").asLong()).isEqualTo(2);
    assertThat(get("/api/v1/reloads/3").statusCode()).isEqualTo(404);
    assertThat(get("/api/v1/reloads/first").statusCode()).isEqualTo(404);
  }

  @Test
  void a_misspelt_dry_run_does_nothing() throws Exception {
    write(cluster("orders", ports, "7s"));
    var answer = post("?dryrun=true");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("dryRun", "'dryrun'");
    assertThat(generation("orders")).isEqualTo(1);
  }

  @Test
  void clusters_come_and_go() throws Exception {
    write(cluster("orders", ports, "10s") + cluster("refunds", ports + 4, "10s"));

    assertThat(json(post("")).at("/outcome").asText()).isEqualTo("applied");
    assertThat(proxy.lives()).extracting(life -> life.name()).containsExactly("orders", "refunds");
    assertThat(states()).isEqualTo("serving serving");
  }

  @Test
  void a_renamed_cluster_takes_over_the_ports_and_a_warning_says_so() throws Exception {
    write(cluster("bestellungen", ports, "10s") + cluster("payments", ports + 2, "10s"));
    var result = json(post(""));

    assertThat(result.at("/outcome").asText()).isEqualTo("applied");
    assertThat(result.at("/warnings/0").asText()).contains("bestellungen", "orders");
    assertThat(states()).isEqualTo("serving serving");
  }

  @Test
  void every_error_is_told_with_its_place_and_nothing_is_touched() throws Exception {
    write(cluster("orders", ports, "soon") + cluster("orders", ports, "10s"));
    var answer = post("");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.headers().firstValue("content-type")).contains("application/problem+json");
    var findings = json(answer).at("/findings");
    assertThat(findings.size()).isGreaterThan(2);
    assertThat(findings.at("/0/line").asInt()).isEqualTo(4);
    assertThat(findings.at("/0/path").asText()).isEqualTo("virtualClusters[0].drainTimeout");
    assertThat(generation("orders")).isEqualTo(1);
  }

  @Test
  void what_cannot_change_is_refused_by_name() throws Exception {
    Files.writeString(
        file,
        Files.readString(file).replace("management: { port: 0 }", "management: { port: 9999 }"));
    var answer = post("");

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(json(answer).at("/detail").asText()).contains("management.port");
  }

  @Test
  void a_busy_port_is_named_nobody_notices_and_the_same_again_is_tried_again() throws Exception {
    try (var _ = Ports.occupy(ports + 4)) {
      write(cluster("orders", ports + 4, "10s") + cluster("payments", ports + 2, "10s"));
      var answer = post("");
      assertThat(answer.statusCode()).isEqualTo(409);
      assertThat(answer.headers().firstValue("content-type")).contains("application/problem+json");
      var result = json(answer);
      assertThat(result.at("/outcome").asText()).isEqualTo("failed");
      assertThat(result.at("/detail").asText()).contains("found that orders did not");
      assertThat(result.at("/virtualClusters/0/outcome").asText()).isEqualTo("kept");
      assertThat(result.at("/virtualClusters/0/message").asText()).contains("" + (ports + 4));
      assertThat(states()).isEqualTo("serving serving");
      assertThat(generation("orders")).isEqualTo(1);
    }
    var result = json(post(""));
    assertThat(result.at("/outcome").asText()).isEqualTo("applied");
    assertThat(result.at("/virtualClusters/0/way").asText()).isEqualTo("handover");
  }

  @Test
  void a_new_cluster_that_cannot_be_set_up_is_not_there_and_the_proxy_goes_on() throws Exception {
    try (ServerSocket _ = Ports.occupy(ports + 4)) {
      write(
          cluster("orders", ports, "10s")
              + cluster("payments", ports + 2, "10s")
              + cluster("refunds", ports + 4, "10s"));
      var result = json(post(""));

      assertThat(result.at("/virtualClusters/2/outcome").asText()).isEqualTo("not-added");
      assertThat(states()).isEqualTo("serving serving");
      assertThat(proxy.isStopping()).isFalse();
    }
  }

  @Test
  void a_body_is_taken_in_the_place_of_the_file_until_that_is_read_again() throws Exception {
    var body = yaml(cluster("orders", ports, "7s") + cluster("payments", ports + 2, "10s"));
    assertThat(json(post("", body)).at("/outcome").asText()).isEqualTo("applied");
    assertThat(configuration().at("/source").asText()).isEqualTo("request body");

    assertThat(json(post("")).at("/outcome").asText()).isEqualTo("applied");
    assertThat(configuration().at("/source").asText()).isEqualTo(file.toString());
    assertThat(generation("orders")).isEqualTo(3);
  }

  @Test
  void a_named_definition_changes_every_cluster_that_uses_it_and_no_other() throws Exception {
    assertThat(json(post("", named("127.0.0.1:1"))).at("/outcome").asText()).isEqualTo("unchanged");
    var plan = json(post("?dryRun=true", named("127.0.0.1:2")));

    assertThat(plan.findValuesAsText("change")).containsExactly("changed", "unchanged");
    assertThat(plan.at("/virtualClusters/0/aspects/0").asText()).isEqualTo("upstream addresses");
  }

  private String named(String servers) {
    var orders =
        cluster("orders", ports, "10s")
            .replace(
                "targetCluster: { bootstrapServers: \"127.0.0.1:1\" }",
                "target: { cluster: east }");
    return yaml(orders + cluster("payments", ports + 2, "10s"))
        + "clusterDefinitions: [ { name: east, bootstrapServers: \"%s\" } ]\n".formatted(servers);
  }

  @Test
  void a_web_page_of_somebody_else_reloads_nothing() throws Exception {
    var request =
        HttpRequest.newBuilder(uri("/api/v1/reload"))
            .header("Origin", "https://evil.example")
            .POST(BodyPublishers.noBody())
            .build();

    assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(403);
  }

  @Test
  void outcomes_are_counted_from_the_first_moment() throws Exception {
    assertThat(registry.scrape()).contains("sluice_reloads_total{outcome=\"failed\"} 0.0");
    post("");

    assertThat(registry.scrape())
        .contains("sluice_reloads_total{outcome=\"unchanged\"} 1.0")
        .contains("sluice_reload_duration_seconds_count 1")
        .contains(
            "sluice_reload_clusters_total{operation=\"unchanged\",outcome=\"unchanged\"} 2.0");
  }

  private String states() {
    return String.join(
        " ", proxy.lives().stream().map(life -> life.state().kind().label()).toList());
  }

  private int generation(String name) {
    return proxy.virtualCluster(name).orElseThrow().life().generation();
  }

  private JsonNode configuration() throws Exception {
    return json(get("/api/v1/virtual-clusters")).at("/configuration");
  }

  private Path write(String clusters) throws IOException {
    return Files.writeString(directory.resolve("proxy.yaml"), yaml(clusters));
  }

  private static String yaml(String clusters) {
    return "management: { port: 0 }\nvirtualClusters:\n" + clusters;
  }

  private static String cluster(String name, int port, String drainTimeout) {
    return """
      - name: %s
        drainTimeout: %s
        targetCluster: { bootstrapServers: "127.0.0.1:1" }
        gateways:
          - name: local
            portIdentifiesNode:
              bootstrapAddress: "localhost:%d"
              bindAddress: 127.0.0.1
              nodeIdRanges: [ { name: all, start: 0, end: 0 } ]
    """
        .formatted(name, drainTimeout, port);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String query) throws Exception {
    return post(query, "");
  }

  private HttpResponse<String> post(String query, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(uri("/api/v1/reload" + query))
            .POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private JsonNode json(HttpResponse<String> answer) throws IOException {
    return mapper.readTree(answer.body());
  }
}
