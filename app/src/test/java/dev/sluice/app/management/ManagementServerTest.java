package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.app.configuration.ManagementSpec;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import dev.sluice.lifecycle.Readiness;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxySpec;
import dev.sluice.proxy.VirtualClusterSpec;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One cluster that serves, and one whose bootstrap port is busy. */
class ManagementServerTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path directory;
  private ServerSocket busy;
  private Proxy proxy;
  private ManagementServer server;

  @BeforeEach
  void start() throws IOException {
    var first = Ports.consecutive(4);
    busy = Ports.occupy(first + 2);
    var token = Files.writeString(directory.resolve("token"), "open sesame\n");
    var meters = new LifecycleMeters(registry);
    proxy =
        Proxy.start(
            new ProxySpec(
                NetworkSpec.DEFAULT,
                new FailurePolicy(Serve.REMAINING, Optional.empty()),
                List.of(cluster("orders", first), cluster("payments", first + 2))),
            registry,
            Clock.systemUTC(),
            meters);
    meters.show(proxy, Clock.systemUTC());
    server =
        ManagementServer.start(
            ManagementDoor.of(
                new ManagementSpec(
                    "127.0.0.1",
                    0,
                    Optional.empty(),
                    Optional.of(token),
                    Readiness.Policy.ALL,
                    true)),
            Duration.ofSeconds(15),
            proxy,
            Reloaders.withoutFile(proxy),
            registry::scrape);
    await("orders serves, payments has failed")
        .atMost(LIMIT)
        .until(() -> states().equals(List.of("serving", "failed")));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    busy.close();
    proxy.stop("the test is over").toCompletableFuture().get(60, TimeUnit.SECONDS);
    http.close();
  }

  @Test
  void all_clusters_are_shown_in_the_order_of_the_configuration() throws Exception {
    var shown = json(get("/api/v1/virtual-clusters"));

    assertThat(shown.at("/state").asText()).isEqualTo("partial");
    assertThat(shown.at("/ready").asBoolean()).isFalse();
    assertThat(shown.at("/virtualClusters/0/name").asText()).isEqualTo("orders");
    assertThat(shown.at("/virtualClusters/1/lastFailure/message").asText()).isNotEmpty();
    assertThat(shown.at("/virtualClusters/1/retry/exhausted").asBoolean()).isTrue();
  }

  @Test
  void all_clusters_are_shown_with_their_histories() throws Exception {
    var shown = json(get("/api/v1/virtual-clusters"));

    assertThat(shown.at("/virtualClusters/0/history/0/from").asText()).isEqualTo("initializing");
    assertThat(shown.at("/virtualClusters/0/transitions").asInt()).isPositive();
  }

  @Test
  void a_person_may_drain_a_cluster_and_start_it_again() throws Exception {
    var drained = json(post("/api/v1/virtual-clusters/orders/drain"));
    assertThat(drained.at("/state").asText()).isIn("draining", "stopped");
    await("it is stopped, and what it came to is told")
        .atMost(LIMIT)
        .until(() -> !shown("orders").at("/lastDrain/way").isMissingNode());
    assertThat(shown("orders").at("/state").asText()).isEqualTo("stopped");
    assertThat(shown("orders").at("/lastDrain/connections").asInt()).isZero();

    var started = json(post("/api/v1/virtual-clusters/orders/start"));
    assertThat(started.at("/state").asText()).isIn("initializing", "serving");
    await("it serves again").atMost(LIMIT).until(() -> states().getFirst().equals("serving"));
    assertThat(shown("orders").at("/former/ending").asText()).isEqualTo("drained");
  }

  @Test
  void a_restart_goes_on_serving_with_another_generation() throws Exception {
    var restarted = json(post("/api/v1/virtual-clusters/orders/restart"));

    assertThat(restarted.at("/state").asText()).isEqualTo("serving");
    assertThat(restarted.at("/generation").asInt()).isEqualTo(2);
    await("the former generation is left")
        .atMost(LIMIT)
        .until(() -> shown("orders").at("/lastDrain/way").asText().equals("in-place"));
    assertThat(shown("orders").at("/drain").isMissingNode()).isTrue();
  }

  @Test
  void a_restart_closes_connections_where_that_is_asked_for() throws Exception {
    var restart = "/api/v1/virtual-clusters/orders/restart";
    assertThat(post(restart + "?closeConnection=true").statusCode()).isEqualTo(400);
    assertThat(post(restart + "?closeConnections=1").statusCode()).isEqualTo(400);
    assertThat(shown("orders").at("/generation").asInt()).isEqualTo(1);

    assertThat(json(post(restart + "?closeConnections=true")).at("/generation").asInt())
        .isEqualTo(2);
    await("the former generation is left")
        .atMost(LIMIT)
        .until(() -> shown("orders").at("/lastDrain/way").asText().equals("handover"));
  }

  @Test
  void what_cannot_be_asked_now_is_a_conflict_that_says_why() throws Exception {
    for (var call : List.of("payments/drain", "payments/restart", "orders/start")) {
      var answer = post("/api/v1/virtual-clusters/" + call);

      assertThat(answer.statusCode()).as(call).isEqualTo(409);
      assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(json(answer).at("/detail").asText())
          .startsWith("Expected a virtual cluster that ");
    }
  }

  @Test
  void nothing_can_be_asked_of_a_cluster_that_is_not_there() throws Exception {
    for (var call : List.of("retry", "drain", "start", "restart")) {
      assertThat(post("/api/v1/virtual-clusters/oders/" + call).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void one_cluster_is_shown_with_its_history() throws Exception {
    var shown = json(get("/api/v1/virtual-clusters/orders"));

    assertThat(shown.at("/history/0/from").asText()).isEqualTo("initializing");
    assertThat(shown.at("/history/0/to").asText()).isEqualTo("serving");
  }

  @Test
  void an_unknown_cluster_is_a_problem_that_names_the_known() throws Exception {
    var answer = get("/api/v1/virtual-clusters/nobody");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("content-type")).contains("application/problem+json");
    assertThat(json(answer).at("/detail").asText()).contains("orders, payments", "'nobody'");
  }

  @Test
  void the_proxy_lives_and_is_not_ready_and_says_why() throws Exception {
    assertThat(get("/livez").statusCode()).isEqualTo(200);

    var ready = get("/readyz");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(json(ready).at("/reasons/0").asText()).startsWith("payments is failed: ");
  }

  @Test
  void every_state_has_a_series() throws Exception {
    assertThat(get("/metrics").body())
        .contains("sluice_virtual_cluster_state{state=\"serving\",virtual_cluster=\"orders\"} 1.0")
        .contains("sluice_virtual_cluster_state{state=\"failed\",virtual_cluster=\"payments\"} 1.0")
        .contains("sluice_virtual_cluster_state{state=\"draining\",virtual_cluster=\"orders\"} 0.0")
        .contains("sluice_virtual_cluster_state_duration_seconds")
        .contains("sluice_virtual_cluster_transitions_total")
        .contains("sluice_virtual_cluster_generation")
        .contains("sluice_proxy_state{state=\"partial\"} 1.0");
  }

  @Test
  void a_retry_sets_the_failed_cluster_up_again() throws Exception {
    busy.close();

    assertThat(post("/api/v1/virtual-clusters/payments/retry").statusCode()).isEqualTo(200);
    await("payments serves").atMost(LIMIT).until(() -> states().get(1).equals("serving"));
  }

  @Test
  void a_retry_of_what_serves_is_a_conflict() throws Exception {
    var answer = post("/api/v1/virtual-clusters/orders/retry");

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(json(answer).at("/detail").asText()).contains("orders is serving");
  }

  @Test
  void a_web_page_of_somebody_else_changes_nothing() throws Exception {
    assertThat(post("/api/v1/stop", "Origin", "https://evil.example").statusCode()).isEqualTo(403);
    assertThat(raw("POST /api/v1/stop HTTP/1.1", "Host: evil.example")).contains(" 403 ");
    assertThat(proxy.isStopping()).isFalse();
  }

  @Test
  void a_page_whose_name_was_made_to_point_here_reads_nothing() throws Exception {
    var read = "GET /api/v1/virtual-clusters HTTP/1.1";
    assertThat(raw(read, "Host: evil.example"))
        .contains(" 403 ", "application/problem+json", "found Host 'evil.example'");
    assertThat(raw(read, "Host: evil.example", "Authorization: Bearer guess")).contains(" 401 ");
    assertThat(raw(read, "Host: 10.1.2.3:9190")).contains(" 200 ");
    assertThat(raw(read, "Host: localhost")).contains(" 200 ");
  }

  @Test
  void a_wrong_token_is_refused_and_the_right_one_opens() throws Exception {
    assertThat(post("/api/v1/stop", "Authorization", "Bearer open").statusCode()).isEqualTo(401);
    assertThat(proxy.isStopping()).isFalse();

    assertThat(post("/api/v1/stop", "Authorization", "Bearer open sesame").statusCode())
        .isEqualTo(202);
    await("it stops").atMost(LIMIT).until(proxy::isStopping);
  }

  @Test
  void events_begin_with_a_snapshot_and_tell_every_transition() throws Exception {
    var request = HttpRequest.newBuilder(uri("/api/v1/events")).build();
    try (var lines = http.send(request, BodyHandlers.ofLines()).body()) {
      var told = lines.iterator();
      assertThat(next(told, "event: ")).isEqualTo("event: snapshot");
      assertThat(next(told, "data: ")).contains("\"orders\"");

      busy.close();
      post("/api/v1/virtual-clusters/payments/retry");

      assertThat(next(told, "event: ")).isEqualTo("event: transition");
      assertThat(mapper.readTree(next(told, "data: ").substring(6)).at("/to").asText())
          .isEqualTo("initializing");
    }
  }

  @Test
  void events_tell_what_a_drain_came_to() throws Exception {
    var request = HttpRequest.newBuilder(uri("/api/v1/events")).build();
    try (var lines = http.send(request, BodyHandlers.ofLines()).body()) {
      var told = lines.iterator();
      assertThat(next(told, "event: ")).isEqualTo("event: snapshot");
      post("/api/v1/virtual-clusters/orders/drain");

      var event = next(told, "event: ");
      while (!event.equals("event: drained")) {
        event = next(told, "event: ");
      }
      assertThat(next(told, "data: ")).contains("\"virtualCluster\":\"orders\"", "tookMillis");
    }
  }

  @Test
  void a_body_that_is_too_large_is_refused() throws Exception {
    var request =
        HttpRequest.newBuilder(uri("/api/v1/stop"))
            .POST(BodyPublishers.ofString("x".repeat(100_000)))
            .build();

    var answer = http.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(json(answer).at("/detail").asText()).contains("16384 bytes, found 100000");
    assertThat(proxy.isStopping()).isFalse();
  }

  @Test
  void what_is_not_there_is_a_problem_too() throws Exception {
    var answer = get("/nowhere");

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.headers().firstValue("content-type")).contains("application/problem+json");
  }

  @Test
  void what_is_refused_before_any_route_is_looked_for_is_a_problem_too() throws Exception {
    var host = "Host: localhost";
    assertProblem(400, raw("GET /%zz HTTP/1.1", host));
    assertProblem(400, raw("GET /%2e%2e/secret HTTP/1.1", host));
    assertProblem(400, raw("GET /a%00b HTTP/1.1", host));
    assertProblem(400, raw("GET /livez HTTP/1.1"));
    assertProblem(400, raw("nonsense", host));
    assertProblem(400, raw("POST /api/v1/stop HTTP/1.1", host, "Content-Length: many"));
    assertProblem(431, raw("GET /livez HTTP/1.1", host, "X: " + "x".repeat(10_000)));
    assertProblem(505, raw("GET /livez HTTP/7.0", host));
  }

  @Test
  void every_refusal_of_a_call_is_a_problem() throws Exception {
    var host = "Host: localhost";
    var post = "POST /api/v1/reload HTTP/1.1";
    assertProblem(404, raw("GET /nowhere HTTP/1.1", host));
    assertProblem(405, raw("DELETE /api/v1/reload HTTP/1.1", host));
    assertProblem(405, raw("PUT /livez HTTP/1.1", host));
    assertProblem(400, raw("POST /api/v1/reload?dryRun=perhaps HTTP/1.1", host));
    assertProblem(411, refused(BodyPublishers.ofInputStream(InputStream::nullInputStream)));
    assertProblem(413, refused(BodyPublishers.ofString("x".repeat(100_000))));
    assertProblem(415, raw(post, host, "Content-Type: image/png", "Content-Length: 1"));
    assertProblem(415, raw(post, host, "Content-Encoding: gzip", "Content-Length: 1"));
  }

  private String refused(BodyPublisher body) throws Exception {
    var answer =
        http.send(
            HttpRequest.newBuilder(uri("/api/v1/stop"))
                .version(HttpClient.Version.HTTP_1_1)
                .POST(body)
                .build(),
            BodyHandlers.ofString());
    return "HTTP/1.1 %d \r\n%s\r\n\r\n%s"
        .formatted(
            answer.statusCode(),
            answer.headers().firstValue("Content-Type").orElse(""),
            answer.body());
  }

  /** As RFC 9457 describes it, and HTML to nobody. */
  private void assertProblem(int status, String answer) throws IOException {
    assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains("application/problem+json");
    var problem = mapper.readTree(answer.substring(answer.indexOf("\r\n\r\n")));
    assertThat(problem.at("/status").asInt()).as(answer).isEqualTo(status);
    assertThat(problem.at("/title").asText()).as(answer).isNotEmpty();
    assertThat(problem.at("/detail").asText()).as(answer).isNotEmpty();
  }

  @Test
  void every_documented_call_is_there_and_none_is_undocumented() throws Exception {
    var documented = json(get("/openapi.json")).get("paths");
    for (var path : documented.properties()) {
      for (var method : path.getValue().properties()) {
        var name = method.getKey().toUpperCase(Locale.ROOT);
        assertThat(server.routes()).contains(name + " " + path.getKey());
      }
    }
    var calls = documented.properties().stream().mapToInt(path -> path.getValue().size()).sum();
    assertThat(server.routes()).hasSize(calls);
  }

  private JsonNode shown(String name) throws Exception {
    return json(get("/api/v1/virtual-clusters/" + name));
  }

  private List<String> states() {
    return proxy.lives().stream().map(life -> life.state().kind().label()).toList();
  }

  private static VirtualClusterSpec cluster(String name, int port) {
    var gateway =
        new GatewaySpec(
            "local",
            Optional.of("127.0.0.1"),
            new Endpoint("localhost", port),
            port + 1,
            List.of(new NodeIdRange("default", 0, 0)),
            "localhost");
    return new VirtualClusterSpec(
        name,
        Duration.ofSeconds(1),
        List.of(new Endpoint("127.0.0.1", 1)),
        List.of(gateway),
        LimitsSpec.DEFAULT);
  }

  private static String next(Iterator<String> lines, String start) {
    while (lines.hasNext()) {
      var line = lines.next();
      if (line.startsWith(start)) {
        return line;
      }
    }
    throw new AssertionError("Expected a line that starts with '" + start + "', found the end");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String... headers) throws Exception {
    var request = HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  /** Java's client sets Host itself. */
  private String raw(String... lines) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      var request =
          String.join(
              "\r\n",
              Stream.concat(Stream.of(lines), Stream.of("Connection: close", "", "")).toList());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private JsonNode json(HttpResponse<String> answer) throws IOException {
    return mapper.readTree(answer.body());
  }
}
