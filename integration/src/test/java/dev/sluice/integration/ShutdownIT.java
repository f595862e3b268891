package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.Load;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code sluice proxy} in front of real brokers, with two virtual clusters under load: one is
 * drained while the other notices nothing, and then the process is told to end.
 */
@ExtendWith(KafkaCluster.class)
class ShutdownIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(15);
  private static final Selection CLIENTS = Selection.parse("java-plain,java-classic");
  private static final List<String> NAMES = List.of("brief", "patient");

  @TempDir private Path folder;
  private int port;

  @BeforeEach
  void choosePorts() {
    port = FreePorts.inARow(9);
  }

  @Test
  void a_signal_drains_two_clusters_side_by_side_each_in_its_own_time(EmbeddedCluster kafka)
      throws Exception {
    endUnderLoad(kafka, 1);
  }

  @Test
  @Tag("acceptance")
  void ten_signals_drain_two_clusters_side_by_side_each_in_its_own_time(EmbeddedCluster kafka)
      throws Exception {
    endUnderLoad(kafka, 10);
  }

  private void endUnderLoad(EmbeddedCluster kafka, int times) throws Exception {
    var configuration = configuration(kafka);
    var proxy = serving(configuration);
    try (var brief = audit(kafka, "brief");
        var patient = audit(kafka, "patient")) {
      for (int i = 0; i < times; i++) {
        assertThatTheOtherNoticesNothingOfADrain(brief, patient);
        assertThatASignalEnds(proxy);
        proxy.close();
        proxy = serving(configuration);
        awaitLoad(brief);
        awaitLoad(patient);
      }
      assertThatNothingIsLost(brief.finish());
      assertThatNothingIsLost(patient.finish());
    } finally {
      proxy.close();
    }
  }

  // ---- a neighbour ---------------------------------------------------------------------------

  /** Patient is drained and comes back; brief is its neighbour. */
  private void assertThatTheOtherNoticesNothingOfADrain(Audit brief, Audit patient)
      throws Exception {
    awaitLoad(brief);
    var _ = brief.lap();
    post("patient/drain");
    await().atMost(LIMIT).until(() -> get("patient").contains("\"state\":\"stopped\""));
    awaitLoad(brief);
    assertThat(brief.lap()).allSatisfy((_, lap) -> assertThat(lap.kinds()).isEmpty());
    post("patient/start");
    awaitLoad(patient);
  }

  // ---- the end -------------------------------------------------------------------------------

  /** Each cluster has a client that goes quiet for nobody, so that it takes all of its time. */
  private void assertThatASignalEnds(SluiceProcess proxy) throws Exception {
    try (var _ = StubbornClient.at(port);
        var _ = StubbornClient.at(port + 4)) {
      proxy.signal("TERM");
      assertThat(proxy.exitStatus(LIMIT)).as(proxy.said()).isZero();
    }
    var said = proxy.said().lines().toList();
    var drains = moves(said, "draining");
    var ends = moves(said, "stopped");
    assertThat(List.of(drains.size(), ends.size())).as("%s", said).containsExactly(2, 2);
    assertThat(drains.getLast()).as("both drain before one ends").isLessThan(ends.getFirst());
    assertThat(said.get(ends.getFirst())).contains("virtualCluster=brief ");
    assertThat(drained(said))
        .as("%s", said)
        .hasSize(2)
        .allMatch(line -> line.contains("QUIESCED="));
  }

  /** The numbers of the lines that tell a transition to a state, because of the shutdown. */
  private static List<Integer> moves(List<String> said, String state) {
    return Stream.iterate(0, i -> i < said.size(), i -> i + 1)
        .filter(i -> said.get(i).contains(" to=" + state + " "))
        .filter(i -> i > lineOf(said, "Shutting down"))
        .toList();
  }

  private static List<String> drained(List<String> said) {
    return said.subList(lineOf(said, "Shutting down"), said.size()).stream()
        .filter(line -> line.contains("Departures"))
        .filter(line -> line.contains("Drained"))
        .toList();
  }

  private static int lineOf(List<String> said, String text) {
    return Stream.iterate(0, i -> i < said.size(), i -> i + 1)
        .filter(i -> said.get(i).contains(text))
        .findFirst()
        .orElseThrow();
  }

  /** Nobody serves for a while: clients notice that, and a group begins anew where it committed. */
  private static void assertThatNothingIsLost(AuditReport report) {
    var limits =
        Limits.DEFAULT
            .with(Measure.EXCEPTIONS, Long.MAX_VALUE)
            .with(Measure.DUPLICATED, Long.MAX_VALUE);
    var verdict = limits.judge(report);
    var table = String.join("\n", ReportTable.lines(report, verdict));
    System.out.println(table);
    assertThat(verdict.breaches()).as(table).isEmpty();
    var producer = report.clients().getFirst();
    assertThat(producer.total(Measure.DUPLICATED)).as(table).isZero();
    var event = Objects.requireNonNull(producer.windows().get(Window.EVENT));
    assertThat(event.kinds()).as(table).doesNotContainKey("cancelled: PRODUCE");
  }

  // ---- in the words of these tests -----------------------------------------------------------

  private Audit audit(EmbeddedCluster kafka, String name) throws InterruptedException {
    var plan =
        AuditPlan.of("127.0.0.1:" + (port + 4 * NAMES.indexOf(name)))
            .withWitness(kafka.bootstrapServers())
            .withClients(CLIENTS);
    var audit = Audit.start(plan, new LogbackSource());
    assertThat(audit.awaitWarm(_ -> {})).as("clients of %s without progress", name).isEmpty();
    audit.enter(Window.EVENT);
    return audit;
  }

  private static void awaitLoad(Audit audit) {
    long enough = audit.sent() + 2L * Load.DEFAULT.recordsPerSecond();
    await().atMost(LIMIT).until(audit::sent, sent -> sent >= enough);
  }

  private SluiceProcess serving(Path configuration) throws IOException {
    var proxy = SluiceProcess.start("proxy", "-c", configuration.toString());
    try {
      await("it is ready").atMost(LIMIT).until(() -> isReady());
      return proxy;
    } catch (RuntimeException e) {
      var said = proxy.said();
      proxy.close();
      throw new AssertionError("It said: " + said, e);
    }
  }

  private boolean isReady() throws InterruptedException {
    try {
      return ask(HttpRequest.newBuilder(management("/readyz")).build()).contains("\"ready\":true");
    } catch (IOException _) {
      return false; // Nobody is there yet.
    }
  }

  private String get(String cluster) throws IOException, InterruptedException {
    return ask(HttpRequest.newBuilder(management("/api/v1/virtual-clusters/" + cluster)).build());
  }

  private void post(String call) throws IOException, InterruptedException {
    var uri = management("/api/v1/virtual-clusters/" + call);
    ask(HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()).build());
  }

  private static String ask(HttpRequest request) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString()).body();
    }
  }

  private URI management(String path) {
    return URI.create("http://127.0.0.1:" + (port + 8) + path);
  }

  private Path configuration(EmbeddedCluster kafka) throws IOException {
    var text =
        """
        management: { port: %d }
        network: { proxy: { shutdownTimeout: %ds } }
        virtualClusters:
        """
            .formatted(port + 8, SHUTDOWN_TIMEOUT.toSeconds());
    return Files.writeString(
        folder.resolve("proxy.yaml"),
        text + cluster(kafka, "brief", 5, port) + cluster(kafka, "patient", 8, port + 4));
  }

  private static String cluster(EmbeddedCluster kafka, String name, int drainTimeout, int port) {
    return """
          - name: %s
            drainTimeout: %ds
            targetCluster: { bootstrapServers: "%s" }
            gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: "127.0.0.1:%d"
                  bindAddress: 127.0.0.1
                  nodeIdRanges: [ { name: all, start: 1, end: 3 } ]
        """
        .formatted(name, drainTimeout, kafka.bootstrapServers(), port);
  }

  /** Has been served, and then never ends a request that it has begun. */
  private record StubbornClient(RawClient client) implements AutoCloseable {

    static StubbornClient at(int port) throws IOException {
      var client = new RawClient(new Endpoint("127.0.0.1", port));
      client.ask(new ApiVersionsRequestData(), (short) 0);
      client.write(ByteBuffer.allocate(2 * Integer.BYTES).putInt(100).array());
      return new StubbornClient(client);
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }
}
