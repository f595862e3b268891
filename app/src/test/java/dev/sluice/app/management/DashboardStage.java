package dev.sluice.app.management;

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

/**
 * A proxy with the virtual clusters orders and payments that runs from a file, and a browser that
 * shows both.
 */
final class DashboardStage {

  private final Path file;
  private final int ports;
  private final Browser browser;
  private final Proxy proxy;
  private final ManagementServer server;

  private DashboardStage(Browser browser, Path folder) throws Exception {
    this.browser = browser;
    this.file = folder.resolve("proxy.yaml");
    this.ports = Ports.consecutive(6);
    write("10s", ports);
    var reader = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty());
    var began = ((Accepted) reader.read(file)).configuration();
    var registry = new SimpleMeterRegistry();
    proxy = Proxy.start(began.proxy(), registry, Clock.systemUTC(), (_, _, _) -> {});
    server =
        ManagementServer.start(
            ManagementDoor.of(began.management()),
            Duration.ofSeconds(15),
            proxy,
            new Reloader(
                proxy, new ReloadFiles(reader, Optional.of(file)), began, Clock.systemUTC()),
            () -> "");
  }

  static DashboardStage startFor(Class<?> test, Path folder) throws Exception {
    var browser = Browser.startFor(test, folder);
    DashboardStage stage;
    try {
      stage = new DashboardStage(browser, folder);
    } catch (Exception e) {
      browser.close();
      throw e;
    }
    browser.open("http://127.0.0.1:" + stage.server.port() + "/");
    browser.awaitText("#counts", "2 serving");
    browser.awaitText("#live[data-live=yes]", "live");
    return stage;
  }

  Browser browser() {
    return browser;
  }

  /** The first of those that orders and payments have, with room for payments to move. */
  int ports() {
    return ports;
  }

  /** Writes another configuration; what runs is told by nobody but the page. */
  void write(String drainTimeout, int port) throws IOException {
    Files.writeString(
        file,
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

  void close() throws Exception {
    try {
      server.close();
      proxy.stop("the test is over").toCompletableFuture().get(60, TimeUnit.SECONDS);
    } finally {
      browser.close();
    }
  }
}
