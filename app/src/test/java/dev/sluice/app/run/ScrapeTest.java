package dev.sluice.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.management.Ports;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.proxy.Metric;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a running proxy tells Prometheus is what is defined, after it has lived through a lot. */
class ScrapeTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern SAMPLE =
      Pattern.compile("^(\\w+)(?:\\{(.*)\\})? [^ ]+$", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  private static final short HEARTBEAT = 12;

  /** The correlation id of a request that the broker keeps to itself. */
  private static final int UNANSWERED = 99;

  /**
   * Seen only when a client goes on in the middle of a drain, and where TLS is spoken; MetersTest
   * of the proxy and ManagementTlsTest see them.
   */
  private static final Set<String> SEEN_ELSEWHERE =
      Set.of(
          "sluice_drain_refused_requests_total",
          "sluice_drain_early_answers_total",
          "sluice_gateway_certificate_expiration_timestamp_seconds",
          "sluice_management_certificate_expiration_timestamp_seconds");

  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpServer hook;
  private final ServerSocket broker = loopback();
  private final ServerSocket busy;
  private final int first = Ports.consecutive(4);
  private final RunningProxy proxy;

  ScrapeTest() throws IOException {
    hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/",
        call -> {
          call.sendResponseHeaders(204, -1);
          call.close();
        });
    hook.start();
    Thread.ofVirtual().start(this::accept);
    busy = Ports.occupy(first + 2);
    var reader = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty());
    var accepted = (Accepted) reader.read(configuration("1s"), Path.of("."));
    proxy = RunningProxy.start(accepted.configuration(), new ReloadFiles(reader, Optional.empty()));
  }

  private String configuration(String drainTimeout) {
    return """
        management: { port: 0 }
        proxy:
          onVirtualClusterFailure:
            serve: remaining
            escalate: { url: "http://127.0.0.1:%d/" }
        virtualClusters:
          - name: orders
            drainTimeout: %s
            targetCluster: { bootstrapServers: "127.0.0.1:%d" }
            gateways: [ { name: local, portIdentifiesNode: { bootstrapAddress: "localhost:%d", bindAddress: 127.0.0.1, nodeIdRanges: [ { name: all, start: 0, end: 0 } ] } } ]
          - name: payments
            targetCluster: { bootstrapServers: "127.0.0.1:1" }
            gateways: [ { name: local, portIdentifiesNode: { bootstrapAddress: "localhost:%d", bindAddress: 127.0.0.1, nodeIdRanges: [ { name: all, start: 0, end: 0 } ] } } ]
        """
        .formatted(
            hook.getAddress().getPort(), drainTimeout, broker.getLocalPort(), first, first + 2);
  }

  @AfterEach
  void end() throws Exception {
    proxy.proxy().stop("the test is over");
    assertThat(proxy.awaitEnd()).isPresent();
    proxy.close();
    hook.stop(0);
    broker.close();
    busy.close();
    http.close();
  }

  @Test
  void every_metric_is_defined_and_every_defined_one_is_seen() throws Exception {
    await("the escalation of payments").atMost(LIMIT).until(() -> scrape().contains("delivered"));
    await("orders serves").atMost(LIMIT).until(() -> isServing("orders"));
    try (var client = new Socket(InetAddress.getLoopbackAddress(), first)) {
      client.getOutputStream().write(heartbeat(1));
      assertThat(new DataInputStream(client.getInputStream()).readInt()).isEqualTo(6);
      // The port of payments is taken, so that not all of it comes to what is asked for.
      post("/api/v1/reload", configuration("100ms"), 409);
      client.getOutputStream().write(heartbeat(UNANSWERED));
      await("a request in flight")
          .atMost(LIMIT)
          .until(
              () -> scrape().contains("sluice_requests_in_flight{virtual_cluster=\"orders\"} 1.0"));
      post("/api/v1/virtual-clusters/orders/drain", "");
      await("the drain has ended")
          .atMost(LIMIT)
          .until(
              () -> scrape().contains("sluice_drain_unanswered_requests_total{api=\"Heartbeat\""));
    }
    await("all that is defined is seen")
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(missing(scrape())).isEmpty());

    assertThat(undefined(scrape())).as("what ExposedMetrics does not list").isEmpty();
  }

  private static Set<String> missing(String scraped) {
    var seen = SAMPLE.matcher(scraped).results().map(m -> m.group(1)).collect(Collectors.toSet());
    return ExposedMetrics.ofProxy().stream()
        .filter(metric -> !SEEN_ELSEWHERE.contains(metric.exposed()))
        .flatMap(metric -> metric.series().stream())
        .filter(name -> !seen.contains(name))
        .collect(Collectors.toSet());
  }

  private static List<String> undefined(String scraped) {
    return SAMPLE
        .matcher(scraped)
        .results()
        .filter(sample -> !sample.group(1).matches("(jvm|process|system)_.*"))
        .filter(
            sample ->
                ExposedMetrics.ofProxy().stream()
                    .noneMatch(
                        metric -> isSample(metric, sample.group(1), labels(sample.group(2)))))
        .map(sample -> sample.group())
        .toList();
  }

  private static boolean isSample(Metric metric, String name, List<Metric.Label> found) {
    return metric.series().contains(name)
        && found.stream()
            .filter(label -> !label.name().equals("le"))
            .allMatch(
                label ->
                    metric.labels().stream()
                        .anyMatch(
                            defined ->
                                defined.name().equals(label.name())
                                    && (defined.values().isEmpty()
                                        || defined.values().containsAll(label.values()))))
        && found.stream().filter(label -> !label.name().equals("le")).count()
            == metric.labels().size();
  }

  private static List<Metric.Label> labels(String text) {
    return text == null
        ? List.of()
        : LABEL
            .matcher(text)
            .results()
            .map(m -> new Metric.Label(m.group(1), "", List.of(m.group(2))))
            .toList();
  }

  private boolean isServing(String name) throws Exception {
    return scrape()
        .contains(
            "sluice_virtual_cluster_state{state=\"serving\",virtual_cluster=\"%s\"} 1.0"
                .formatted(name));
  }

  private String scrape() throws Exception {
    return http.send(HttpRequest.newBuilder(uri("/metrics")).build(), BodyHandlers.ofString())
        .body();
  }

  private void post(String path, String body) throws Exception {
    post(path, body, 200);
  }

  private void post(String path, String body, int status) throws Exception {
    var request =
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/yaml")
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + proxy.managementPort() + path);
  }

  /** Version 0, of client "c", for group "g" and member "m". */
  private static byte[] heartbeat(int correlationId) {
    var frame = ByteBuffer.allocate(64);
    frame.putInt(0).putShort(HEARTBEAT).putShort((short) 0).putInt(correlationId);
    putString(frame, "c");
    putString(frame, "g");
    frame.putInt(1);
    putString(frame, "m");
    frame.putInt(0, frame.position() - Integer.BYTES);
    return Arrays.copyOf(frame.array(), frame.position());
  }

  private static void putString(ByteBuffer to, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    to.putShort((short) bytes.length).put(bytes);
  }

  private void accept() {
    try {
      while (true) {
        var connection = broker.accept();
        Thread.ofVirtual().start(() -> answerHeartbeats(connection));
      }
    } catch (IOException _) {
      // The test is over.
    }
  }

  private static void answerHeartbeats(Socket connection) {
    try (connection;
        var in = new DataInputStream(connection.getInputStream());
        var out = connection.getOutputStream()) {
      while (true) {
        var request = ByteBuffer.wrap(in.readNBytes(in.readInt()));
        int correlationId = request.getInt(Integer.BYTES);
        if (request.getShort(0) == HEARTBEAT && correlationId != UNANSWERED) {
          out.write(
              ByteBuffer.allocate(10).putInt(6).putInt(correlationId).putShort((short) 0).array());
        }
      }
    } catch (IOException _) {
      // The proxy has closed.
    }
  }

  private static ServerSocket loopback() {
    try {
      return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
