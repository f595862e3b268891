package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.app.reload.Reloader;
import dev.sluice.proxy.Proxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
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

/** Reloads from the page, and what it shows of them. Pictures are kept in target/screenshots. */
class DashboardReloadTest {

  private static final Path PICTURES = Path.of("target", "screenshots");

  @TempDir private Path directory;
  private int ports;
  private Proxy proxy;
  private ManagementServer server;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    browser = Browser.startFor(DashboardReloadTest.class, directory);
    ports = Ports.consecutive(6);
    var file = write("10s", ports);
    var reader = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty());
    var began = ((Accepted) reader.read(file)).configuration();
    var registry = new SimpleMeterRegistry();
    proxy = Proxy.start(began.proxy(), registry, Clock.systemUTC(), (_, _, _) -> {});
    var files = new ReloadFiles(reader, Optional.of(file));
    server =
        ManagementServer.start(
            ManagementDoor.of(began.management()),
            Duration.ofSeconds(15),
            proxy,
            new Reloader(proxy, files, began, Clock.systemUTC()),
            () -> "");
    browser.open("http://127.0.0.1:" + server.port() + "/");
    browser.awaitText("#counts", "2 serving");
    browser.awaitText("#live[data-live=yes]", "live");
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.close();
      proxy.stop("the test is over").toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void a_reload_is_planned_done_refused_and_failed_from_the_page() throws Exception {
    browser.awaitText("#reload-body", "None since this proxy was started.");
    write("7s", ports);
    plan("Reload the configuration?");
    assertThat(browser.text("#ask-body tbody")).contains("orders", "drainTimeout", "in-place");
    assertThat(browser.text("#ask-body")).contains("One is left as it is.");
    assertThat(generation()).as("nothing is done yet").isEqualTo("1");
    browser.screenshot(PICTURES.resolve("reload-plan.png"));
    browser.click("#ask-yes");
    browser.awaitText("#reload-body strong", "applied");
    browser.awaitText("[data-cluster=orders] .numbers dd", "2");

    write("soon", ports);
    plan("This would not be taken");
    assertThat(browser.text("#ask-body tbody")).contains("virtualClusters[0].drainTimeout", "4:");
    assertThat(browser.evaluate("document.getElementById('ask-yes').hidden").asBoolean()).isTrue();
    browser.screenshot(PICTURES.resolve("reload-refused.png"));
    browser.click("#ask-no");

    try (var _ = Ports.occupy(ports + 4)) {
      write("7s", ports + 4);
      plan("Reload the configuration?");
      browser.click("#ask-yes");
      browser.awaitText("#reload-body strong", "failed");
    }
    assertThat(browser.text("#reload-body tbody")).contains("kept", "" + (ports + 4));
    assertThat(generation()).as("what ran runs on").isEqualTo("2");
    browser.awaitText("#reload-body summary", "applied");
    browser.click("#reload-body summary");
    browser.resize(1280, 1100);
    browser.screenshot(PICTURES.resolve("reloads.png"));
    browser.prefer("dark");
    browser.screenshot(PICTURES.resolve("reloads-dark.png"));
  }

  private void plan(String title) throws Exception {
    browser.click("#reload-plan");
    browser.awaitText("#ask[open] #ask-title", title);
  }

  private String generation() throws Exception {
    return browser.text("[data-cluster=orders] .numbers dd");
  }

  private Path write(String drainTimeout, int port) throws IOException {
    return Files.writeString(
        directory.resolve("proxy.yaml"),
        """
        management: { port: 0 }
        virtualClusters:
          - name: orders
            drainTimeout: %s
            targetCluster: { bootstrapServers: "127.0.0.1:1" }
            gateways: [ { name: local, portIdentifiesNode: %s } ]
          - name: payments
            targetCluster: { bootstrapServers: "127.0.0.1:1" }
            gateways: [ { name: local, portIdentifiesNode: %s } ]
        """
            .formatted(drainTimeout, gateway(port), gateway(ports + 2)));
  }

  private static String gateway(int port) {
    return "{ bootstrapAddress: '127.0.0.1:%d', bindAddress: 127.0.0.1, nodeIdRanges: [ { name: all, start: 0, end: 0 } ] }"
        .formatted(port);
  }
}
