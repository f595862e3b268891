package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that makes a running {@code sluice proxy} take another configuration. */
class ReloadTriggersIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private ServerSocket mute;
  private int port;

  @BeforeEach
  void listen() throws IOException {
    // Connections are taken by the operating system; nobody ever reads them.
    mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    port = FreePorts.inARow(3);
  }

  @AfterEach
  void stop() throws IOException {
    mute.close();
  }

  @Test
  void the_command_the_signal_and_the_call_read_the_file_again() throws Exception {
    var file = write(folder.resolve("proxy.yaml"), 1, false);
    try (var proxy = serving(file)) {
      write(file, 2, false);
      var dryRun = sluice("reload", "--dry-run", "--management", management());
      assertThat(dryRun).contains("orders", "changed", "Reload planned");
      assertThat(generation()).isEqualTo(1);

      assertThat(sluice("reload", "--management", management()))
          .contains("switched", "in-place", "Reload applied: 1 of 1 virtual clusters affected");
      assertThat(generation()).isEqualTo(2);

      write(file, 3, false);
      proxy.signal("HUP");
      awaitGeneration(3);

      write(file, 4, false);
      assertThat(post("")).contains("\"outcome\":\"applied\"");
      assertThat(post(yaml(5, false))).contains("\"source\":\"request body\"");
      awaitGeneration(5);
    }
  }

  @Test
  void a_changed_file_is_taken_however_it_changed() throws Exception {
    var file = write(folder.resolve("proxy.yaml"), 1, true);
    try (var _ = serving(file)) {
      write(file, 2, true);
      awaitGeneration(2);

      var next = write(folder.resolve("next.yaml"), 3, true);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      awaitGeneration(3);
    }
  }

  /** Files lead through {@code ..data}, which leads to the folder of a version. */
  @Test
  void a_swapped_config_map_is_taken() throws Exception {
    var data = folder.resolve("..data");
    Files.createSymbolicLink(data, version(1));
    var file = folder.resolve("proxy.yaml");
    Files.createSymbolicLink(file, Path.of("..data", "proxy.yaml"));
    try (var _ = serving(file)) {
      var swap = folder.resolve("..data_tmp");
      Files.createSymbolicLink(swap, version(2));
      Files.move(swap, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      awaitGeneration(2);
    }
  }

  @Test
  void errors_are_told_by_the_command_and_touch_nothing() throws Exception {
    var file = write(folder.resolve("proxy.yaml"), 1, false);
    try (var _ = serving(file)) {
      Files.writeString(
          file, Files.readString(file).replace("drainTimeout: 1s", "drainTimout: 1s"));
      try (var command = SluiceProcess.start("reload", "--management", management())) {
        assertThat(command.exitStatus()).isEqualTo(1);
        assertThat(command.said())
            .contains(file + ":5:5: virtualClusters[0].drainTimout: unknown key", "drainTimeout")
            .contains("nothing was touched");
      }
      assertThat(generation()).isEqualTo(1);
    }
  }

  private Path version(int number) throws IOException {
    var version = Files.createDirectory(folder.resolve("..version_" + number));
    write(version.resolve("proxy.yaml"), number, true);
    return version.getFileName();
  }

  private Path write(Path file, int drainTimeout, boolean watch) throws IOException {
    return Files.writeString(file, yaml(drainTimeout, watch));
  }

  private String yaml(int drainTimeout, boolean watch) {
    return """
        management: { port: %d }
        reload: { watch: %s }
        virtualClusters:
          - name: orders
            drainTimeout: %ds
            targetCluster: { bootstrapServers: "127.0.0.1:%d" }
            gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: "127.0.0.1:%d"
                  bindAddress: 127.0.0.1
                  nodeIdRanges: [ { name: all, start: 0, end: 0 } ]
        """
        .formatted(port + 2, watch, drainTimeout, mute.getLocalPort(), port);
  }

  private SluiceProcess serving(Path file) throws IOException {
    var proxy = SluiceProcess.start("proxy", "-c", file.toString());
    try {
      await("it is ready").atMost(LIMIT).until(() -> get("/readyz").contains("\"ready\":true"));
      return proxy;
    } catch (RuntimeException e) {
      var said = proxy.said();
      proxy.close();
      throw new AssertionError("It said: " + said, e);
    }
  }

  private static String sluice(String... arguments) throws Exception {
    try (var command = SluiceProcess.start(arguments)) {
      assertThat(command.exitStatus()).as(command.said()).isZero();
      return command.said();
    }
  }

  private void awaitGeneration(int expected) {
    await("generation " + expected).atMost(LIMIT).until(this::generation, now -> now == expected);
  }

  private int generation() throws InterruptedException {
    var told = get("/api/v1/virtual-clusters/orders");
    return Integer.parseInt(told.replaceFirst("(?s)^.*?\"generation\":(\\d+).*$", "$1"));
  }

  private String management() {
    return "http://127.0.0.1:" + (port + 2);
  }

  private String get(String path) throws InterruptedException {
    return send(HttpRequest.newBuilder(URI.create(management() + path)).build());
  }

  private String post(String body) throws InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(management() + "/api/v1/reload"))
            .POST(body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build());
  }

  private static String send(HttpRequest request) throws InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "nobody: " + e;
    }
  }
}
