package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice proxy} and what its parent sees of it. The Kafka cluster behind it is mute. */
class ProxyProcessIT {

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
  void a_signal_ends_it_with_status_0() throws Exception {
    try (var proxy = serving()) {
      proxy.signal("TERM");

      assertThat(proxy.exitStatus()).as(proxy.said()).isZero();
    }
  }

  @Test
  void a_second_signal_ends_it_at_once() throws Exception {
    try (var proxy = serving();
        var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client.getOutputStream().write(apiVersionsRequest());
      await("its request is in flight")
          .atMost(LIMIT)
          .until(
              () -> get("/metrics").contains("requests_in_flight{virtual_cluster=\"orders\"} 1.0"));

      proxy.signal("TERM");
      await("it drains").atMost(LIMIT).until(() -> get("/readyz").contains("shuts down"));
      proxy.signal("TERM");

      assertThat(proxy.exitStatus()).as(proxy.said()).isEqualTo(128 + 15);
    }
  }

  @Test
  void its_ports_close_first_where_that_is_configured() throws Exception {
    try (var proxy = serving("shutdown: { closePortsFirst: true }\n");
        var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client.getOutputStream().write(apiVersionsRequest());
      await("its request is in flight")
          .atMost(LIMIT)
          .until(
              () -> get("/metrics").contains("requests_in_flight{virtual_cluster=\"orders\"} 1.0"));

      proxy.signal("TERM");
      await("its port refuses").atMost(LIMIT).until(this::isRefused);

      assertThat(get("/api/v1/virtual-clusters/orders")).contains("\"state\":\"draining\"");
      proxy.signal("TERM");
      assertThat(proxy.exitStatus()).as(proxy.said()).isEqualTo(128 + 15);
    }
  }

  private boolean isRefused() throws IOException {
    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return false;
    } catch (ConnectException _) {
      return true;
    }
  }

  @Test
  void the_policy_ends_it_with_status_1() throws Exception {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        var proxy = SluiceProcess.start("proxy", "-c", configuration())) {
      assertThat(proxy.exitStatus()).as(proxy.said()).isEqualTo(1);
      assertThat(proxy.said()).contains("port " + port).doesNotContain("\tat ");
    }
  }

  @Test
  void a_wrong_configuration_starts_nothing() throws Exception {
    var file = Files.writeString(folder.resolve("with space.yaml"), "virtualClusters: []\n");
    try (var proxy = SluiceProcess.start("proxy", "-c", file.toString())) {
      assertThat(proxy.exitStatus()).isEqualTo(1);
      assertThat(proxy.said()).contains(file + ":1:18: virtualClusters: expected");
    }
  }

  @Test
  void bad_usage_is_status_2_also_through_a_link() throws Exception {
    var link = folder.resolve("s");
    Files.createSymbolicLink(link, SluiceProcess.home().resolve("bin").resolve("sluice"));
    try (var proxy = SluiceProcess.start(link, "proxy")) {
      assertThat(proxy.exitStatus()).isEqualTo(2);
    }
  }

  private SluiceProcess serving() throws IOException {
    return serving("");
  }

  private SluiceProcess serving(String more) throws IOException {
    var file = Path.of(configuration());
    Files.writeString(file, more + Files.readString(file));
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

  private String configuration() throws IOException {
    var text =
        """
        management: { port: %d }
        network: { proxy: { shutdownTimeout: 2m } }
        virtualClusters:
          - name: orders
            drainTimeout: 2m
            targetCluster: { bootstrapServers: "127.0.0.1:%d" }
            gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: "127.0.0.1:%d"
                  bindAddress: 127.0.0.1
                  nodeIdRanges: [ { name: all, start: 0, end: 0 } ]
        """
            .formatted(port + 2, mute.getLocalPort(), port);
    return Files.writeString(folder.resolve("proxy.yaml"), text).toString();
  }

  private String get(String path) throws InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var uri = URI.create("http://127.0.0.1:" + (port + 2) + path);
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "nobody: " + e;
    }
  }

  /** Version 0: header (key, version, correlation id, client id) and no body. */
  private static byte[] apiVersionsRequest() {
    var client = "it".getBytes(StandardCharsets.UTF_8);
    var request = ByteBuffer.allocate(4 + 2 + 2 + 4 + 2 + client.length);
    request.putInt(request.capacity() - 4).putShort((short) 18).putShort((short) 0).putInt(1);
    return request.putShort((short) client.length).put(client).array();
  }
}
