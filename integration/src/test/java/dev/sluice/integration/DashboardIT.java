package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.management.Browser;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page while real clusters with a real client go through a drain, a failure, reloads and a
 * roll, all of it asked for from the page where that can be. Pictures are kept in
 * target/screenshots.
 */
@Tag("acceptance")
class DashboardIT {

  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final Duration ROLL_LIMIT = Duration.ofMinutes(8);
  private static final Pattern SHOWN = Pattern.compile("(http://127\\S+) shows what it does");
  private static final Duration BETWEEN_RECORDS = Duration.ofMillis(20);
  private static final int PORTS = 11;
  private static final int OTHER = 5;
  private static final int MANAGEMENT = 10;

  @TempDir private Path folder;
  private int port;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    browser = Browser.startFor(DashboardIT.class, folder);
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void states_change_on_the_page_while_real_clusters_live_through_them() throws Exception {
    port = FreePorts.inARow(PORTS);
    try (var bench = RollBench.start(ClusterPlan.combined(3), folder)) {
      var file = write(bench, "20s", port + OTHER);
      try (var _ = SluiceProcess.start("proxy", "-c", file.toString());
          var _ = new Producing()) {
        browser.awaitPage("http://127.0.0.1:" + (port + MANAGEMENT) + "/");
        browser.awaitText("#counts", "2 serving");
        drain(bench);
        failure();
        reloads(bench);
        roll(bench);
      }
    }
  }

  /** Held up by a broker that has stopped to answer, and going on when it answers again. */
  private void drain(RollBench bench) throws Exception {
    int active = bench.activeController();
    int frozen = IntStream.of(1, 2, 3).filter(id -> id != active).findFirst().orElseThrow();
    var server = bench.kafka().server(frozen);
    server.pause();
    try {
      ask("orders", "drain");
      browser.awaitText("[data-cluster=orders] .badge", "draining");
      browser.awaitText("[data-cluster=orders] .drain", "connections left");
      browser.awaitText("[data-cluster=orders] .drain", "Waits for");
      browser.screenshot(PICTURES.resolve("draining.png"));
      browser.click("[data-cluster=orders] h3 button");
      browser.awaitText("#details-body .diagram .now", "draining");
      browser.screenshot(PICTURES.resolve("draining-details.png"));
      browser.click("#details .close");
    } finally {
      server.resume();
    }
    browser.awaitText("[data-cluster=orders] .badge", "stopped");
    browser.click("[data-cluster=orders] h3 button");
    browser.awaitText("#details-body", "Last drain");
    browser.awaitText("#details-body .timeline", "draining → stopped");
    browser.screenshot(PICTURES.resolve("stopped-details.png"));
    browser.click("#details .close");
  }

  /** Somebody else has its port when it is to start; then it is free. */
  private void failure() throws Exception {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      ask("orders", "start");
      browser.awaitText("[data-cluster=orders] .badge", "failed");
      browser.awaitText("[data-cluster=orders] .failure", "found port " + port);
      browser.awaitText("#proxy", "partial");
    }
    ask("orders", "retry");
    browser.awaitText("[data-cluster=orders] .badge", "serving");
    browser.awaitText("#proxy", "serving");
  }

  private void reloads(RollBench bench) throws Exception {
    write(bench, "15s", port + OTHER);
    plan("drainTimeout", "applied");
    assertThat(browser.text("#reload-body tbody")).contains("in-place", "switched");
    browser.awaitText("[data-cluster=payments] .numbers dd", "1");
    try (var _ = new ServerSocket(port + 4, 1, InetAddress.getLoopbackAddress())) {
      write(bench, "15s", port + 4);
      plan("gateways", "failed");
      assertThat(browser.text("#reload-body tbody")).contains("kept", "" + (port + 4));
      browser.awaitText("#reload-body summary", "applied");
      browser.screenshot(PICTURES.resolve("reload-failed.png"));
    }
    browser.awaitText("#counts", "2 serving");
  }

  /** Servers that are restarted one after the other, on the page of their roll. */
  private void roll(RollBench bench) throws Exception {
    try (var roll = bench.run("--reason", "new certificates", "--serve", "0")) {
      roll.awaitErrors("shows what it does");
      var shown = SHOWN.matcher(roll.said());
      assertThat(shown.find()).as(roll.said()).isTrue();
      browser.awaitPage(shown.group(1));
      browser.awaitText(".batch[data-is=now]", "under way");
      browser.awaitText(".batch[data-is=next]", "to come");
      browser.awaitText("#roll-body table", "new certificates");
      browser.screenshot(PICTURES.resolve("rolling.png"));
      assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
      browser.awaitText("[data-roll]", "finished");
      assertThat(browser.text(".progress")).contains("3 of 3 servers");
      assertThat(
              browser.evaluate("document.querySelectorAll('.batch[data-is=done]').length").asInt())
          .isEqualTo(3);
      browser.screenshot(PICTURES.resolve("rolled.png"));
    }
  }

  /** A client that goes on and on, whatever becomes of it. */
  private final class Producing implements AutoCloseable {

    private final KafkaProducer<String, String> producer;
    private final Thread thread;

    Producing() throws Exception {
      var clients = new Clients("127.0.0.1:" + port);
      var topic = clients.topic();
      producer = clients.producer(Map.of());
      thread = Thread.ofVirtual().start(() -> produce(topic));
    }

    private void produce(String topic) {
      try {
        while (true) {
          for (int partition = 0; partition < 3; partition++) {
            var _ = producer.send(new ProducerRecord<>(topic, partition, "", "hello"));
          }
          Thread.sleep(BETWEEN_RECORDS);
        }
      } catch (InterruptedException | InterruptException | IllegalStateException _) {
        // It ends, or its producer has.
      }
    }

    @Override
    public void close() {
      thread.interrupt();
      producer.close(Duration.ZERO);
    }
  }

  private void ask(String cluster, String action) throws Exception {
    browser.awaitText("[data-cluster=%s] [data-action=%s]".formatted(cluster, action), action);
    browser.click("[data-cluster=%s] [data-action=%s]".formatted(cluster, action));
    browser.awaitText("#ask[open] #ask-title", action + " " + cluster);
    browser.click("#ask-yes");
  }

  /** Sees the plan first, and has it done. */
  private void plan(String aspect, String outcome) throws Exception {
    browser.click("#reload-plan");
    browser.awaitText("#ask[open] tbody", aspect);
    browser.screenshot(PICTURES.resolve("planned-" + aspect + ".png"));
    browser.click("#ask-yes");
    browser.awaitText("#reload-body strong", outcome);
  }

  private Path write(RollBench bench, String drainTimeout, int other) throws IOException {
    return Files.writeString(
        folder.resolve("proxy.yaml"),
        """
        management: { port: %d }
        reload: { watch: false }
        proxy: { onVirtualClusterFailure: { serve: remaining } }
        network: { proxy: { shutdownTimeout: 20s } }
        virtualClusters:
        %s%s"""
            .formatted(
                port + MANAGEMENT,
                cluster("orders", drainTimeout, bench, port),
                cluster("payments", "20s", bench, other)));
  }

  private static String cluster(String name, String drainTimeout, RollBench bench, int port) {
    return """
          - name: %s
            drainTimeout: %s
            targetCluster: { bootstrapServers: "%s" }
            gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: "127.0.0.1:%d"
                  bindAddress: 127.0.0.1
                  nodeIdRanges: [ { name: all, start: 1, end: 3 } ]
        """
        .formatted(name, drainTimeout, bench.kafka().bootstrapServers(), port);
  }
}
