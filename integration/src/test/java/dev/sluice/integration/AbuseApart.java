package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.Authority;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The distribution on a processor of its own. On the other one: a Kafka server, and this JVM with
 * its clients, who are to notice nothing; and, whenever these want nothing, an abuser and the
 * servers that he abuses. So what the clients wait for is the proxy, whatever he keeps busy.
 */
final class AbuseApart implements AutoCloseable {

  private static final String OF_THE_PROXY = "1";
  private static final String OF_ALL_OTHERS = "0";
  private static final int SERVERS = 1;
  private static final int GATEWAYS = 5;

  /** One gateway's bootstrap port and its server's. */
  private static final int PORTS = 1 + SERVERS;

  private final EmbeddedCluster kafka = start();
  private final EmbeddedCluster abused = start();
  private final AbuserProcess abuser = new AbuserProcess();
  private final LargeTopic large = new LargeTopic(abused);
  private final Endpoint refusing = new Endpoint("127.0.0.1", FreePorts.one());
  private final int port = FreePorts.inARow(GATEWAYS * PORTS + 1);
  private final HttpClient http = HttpClient.newHttpClient();
  private final SluiceProcess proxy;

  /**
   * @param folder for its configuration and keys
   */
  AbuseApart(Path folder) throws Exception {
    long here = ProcessHandle.current().pid();
    Processor.choose(here, OF_ALL_OTHERS);
    Processor.choose(kafka.server(1).pid(), OF_ALL_OTHERS);
    Processor.choose(abused.server(1).pid(), OF_ALL_OTHERS);
    Processor.giveWay(abused.server(1).pid());
    Processor.choose(abuser.pid(), OF_ALL_OTHERS);
    Processor.giveWay(abuser.pid());
    proxy =
        SluiceProcess.start(
            Child.find("taskset").orElseThrow(),
            "-c",
            OF_THE_PROXY,
            SluiceProcess.home().resolve("bin").resolve("sluice").toString(),
            "proxy",
            "-c",
            Files.writeString(folder.resolve("proxy.yaml"), configuration(folder)).toString());
    try {
      await()
          .atMost(Clients.PATIENCE)
          .ignoreExceptions() // Nobody listens yet.
          .untilAsserted(() -> assertThat(get("/readyz")).contains("\"ready\":true"));
    } catch (ConditionTimeoutException e) {
      var said = proxy.said();
      close();
      throw new AssertionError("It said: " + said, e);
    }
  }

  private static EmbeddedCluster start() throws InterruptedException {
    return EmbeddedCluster.start(ClusterPlan.combined(SERVERS));
  }

  // ---- the proxy -----------------------------------------------------------------------------

  private String configuration(Path folder) {
    var issued = Authority.create(folder, "abuse").issue("gateway", "ip:127.0.0.1");
    var tls =
        "        tls: { key: { certificateFile: %s, privateKeyFile: %s } }\n"
            .formatted(
                issued.certificates(folder.resolve("gateway.crt")),
                issued.privateKey(folder.resolve("gateway.key")));
    var limits =
        "limits: { maxFrameSize: 40MiB, maxConnections: %d, maxInFlight: 16 }"
            .formatted(AbuseStage.MOST_CONNECTIONS);
    return """
    management: { port: %d }
    network:
      proxy:
        unauthenticatedIdleTimeout: 5s
        progressTimeout: 5s
        connectTimeout: 5s
        tlsHandshakeTimeout: 5s
    virtualClusters:
    """
            .formatted(port + GATEWAYS * PORTS)
        + cluster("well", kafka.bootstrapServers(), 0, "")
        + cluster("abused", abused.bootstrapServers(), 1, limits)
        + cluster("moody", abuser.moody().toString(), 2, limits)
        + cluster("refused", refusing.toString(), 3, limits)
        + cluster("secured", abused.bootstrapServers(), 4, limits)
        + tls;
  }

  private String cluster(String name, String servers, int number, String more) {
    return """
      - name: %s
        targetCluster: { bootstrapServers: "%s" }
        %s
        gateways:
          - name: local
            portIdentifiesNode:
              bootstrapAddress: "%s"
              bindAddress: 127.0.0.1
              nodeIdRanges: [ { name: all, start: 1, end: 1 } ]
    """
        .formatted(name, servers, more, gateway(number));
  }

  private Endpoint gateway(int number) {
    return new Endpoint("127.0.0.1", port + number * PORTS);
  }

  private String get(String path) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + (port + GATEWAYS * PORTS) + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  long proxyPid() {
    return proxy.pid();
  }

  // ---- who is where --------------------------------------------------------------------------

  /** Of those who are to notice nothing. */
  String bootstrapServers() {
    return gateway(0).toString();
  }

  /** Those who are to notice nothing wait for no processor but the proxy's, from now on. */
  void comeFirst() throws InterruptedException, IOException {
    var collector = new String[] {"VM Thread", "GC Thread"};
    Processor.comeFirst(ProcessHandle.current().pid(), "pulse", "kafka-producer-");
    Processor.comeFirst(kafka.server(1).pid(), "data-plane-");
    Processor.comeFirst(ProcessHandle.current().pid(), collector);
    Processor.comeFirst(kafka.server(1).pid(), collector);
  }

  AbuserProcess abuser() {
    return abuser;
  }

  /** Behind the proxy. */
  Targets proxied() {
    var at = gateway(1);
    return new Targets(
        at,
        gateway(4),
        gateway(2),
        gateway(3),
        new Endpoint(at.host(), at.port() + large.leader()),
        large.name());
  }

  /** The same servers, while the proxy has nothing to do with it. */
  Targets straight() {
    var at = RunningProxy.endpoints(abused.bootstrapServers()).getFirst();
    return new Targets(at, at, abuser.moody(), refusing, at, large.name());
  }

  /** That nobody is left with the proxy but those who are to notice nothing. */
  void awaitLeft() {
    await()
        .atMost(Clients.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get("/metrics").lines())
                    .filteredOn(line -> line.startsWith("sluice_client_connections{"))
                    .filteredOn(line -> !line.contains("\"well\""))
                    .hasSize(GATEWAYS - 1)
                    .allMatch(line -> line.endsWith(" 0.0")));
  }

  @Override
  public void close() throws IOException {
    try (kafka;
        abused;
        http;
        proxy;
        abuser;
        large) {
      Processor.choose(
          ProcessHandle.current().pid(), OF_ALL_OTHERS + "," + OF_THE_PROXY); // As before.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
