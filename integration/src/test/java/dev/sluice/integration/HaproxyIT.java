package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import dev.sluice.filter.Exchange;
import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.Setting;
import dev.sluice.filter.Settings;
import dev.sluice.filter.Wanted;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.FilterSpec;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.GatewaySpec.Nodes;
import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import dev.sluice.proxy.VirtualClusterSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real clients behind a real haproxy that says for whom a connection is. It has the ports of the
 * gateway at an address of its own, and reaches the gateway from a third one, so that what filters
 * see can only come from the header.
 */
@ExtendWith(KafkaCluster.class)
class HaproxyIT {

  private static final int NODES = 3;
  private static final int RECORDS = 200;
  private static final String GATEWAY = "127.0.0.1";
  private static final String BALANCER = "127.0.0.2";
  private static final String FROM = "127.0.0.3";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path folder;
  private final int port = FreePorts.inARow(NODES + 1);

  @BeforeEach
  void look() {
    if (program().isEmpty()) {
      System.err.println("SKIPPED: haproxy is not installed (Debian package haproxy)");
    }
    assumeTrue(program().isPresent(), "haproxy is not installed");
  }

  /** Debian has it where the path of users does not lead. */
  private static Optional<Path> program() {
    return Child.find("haproxy")
        .or(() -> Optional.of(Path.of("/usr/sbin/haproxy")).filter(Files::isExecutable));
  }

  @ParameterizedTest
  @ValueSource(strings = {"send-proxy", "send-proxy-v2"})
  void clients_behind_a_balancer_are_known_by_their_own_address(
      String header, EmbeddedCluster kafka) throws Exception {
    var seen = new Sources();
    var spec = seen.on(gateway(kafka, ProxyProtocol.REQUIRED));
    try (var _ = serving(spec);
        var _ = haproxy(header)) {
      converse();

      assertThat(seen.addresses).as("from where requests came").containsExactly(GATEWAY);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "send-proxy-v2"})
  @Tag("acceptance")
  void where_a_header_is_allowed_both_are_served(String header, EmbeddedCluster kafka)
      throws Exception {
    var seen = new Sources();
    var spec = seen.on(gateway(kafka, ProxyProtocol.ALLOWED));
    try (var _ = serving(spec);
        var _ = haproxy(header)) {
      converse();

      assertThat(seen.addresses).containsExactly(header.isEmpty() ? FROM : GATEWAY);
    }
  }

  // ---- in the words of the tests -------------------------------------------------------------

  /** Produces and consumes at the balancer, with clients of Java and, if it is there, with kcat. */
  private void converse() throws Exception {
    var servers = BALANCER + ":" + port;
    TlsIT.converse(servers, Map.of());
    if (Child.find("kcat").isPresent()) {
      var topic = TlsIT.topic(servers, Map.of());
      var lines = IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).toList();
      var produced =
          Child.run(
              List.of("kcat", "-b", servers, "-P", "-t", topic), String.join("\n", lines) + "\n");
      assertThat(produced.exitStatus()).as(produced.output()).isZero();
      var consumed = Child.run(List.of("kcat", "-b", servers, "-C", "-e", "-q", "-t", topic), "");
      assertThat(consumed.output().lines()).containsExactlyInAnyOrderElementsOf(lines);
    }
  }

  private static RunningProxy serving(VirtualClusterSpec spec) {
    var proxy = RunningProxy.start(List.of(spec), FailurePolicy.DEFAULT);
    proxy.awaitServing();
    return proxy;
  }

  private VirtualClusterSpec gateway(EmbeddedCluster kafka, ProxyProtocol mode) {
    return RunningProxy.spec("orders", kafka)
        .withGateways(
            List.of(
                new GatewaySpec(
                    "balanced",
                    Optional.of(GATEWAY),
                    new Endpoint(BALANCER, port),
                    new Nodes.ByPort(port + 1, List.of(new NodeIdRange("all", 1, NODES))),
                    BALANCER,
                    Optional.empty(),
                    mode)));
  }

  /** One that ends with the test. */
  private record Balancer(Process process) implements AutoCloseable {
    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private Balancer haproxy(String header) throws IOException {
    var lines = new ArrayList<String>();
    lines.add("defaults");
    lines.addAll(
        List.of(
            "  mode tcp", "  timeout connect 5s", "  timeout client 1m", "  timeout server 1m"));
    for (int at = port; at <= port + NODES; at++) {
      lines.add("listen at-" + at);
      lines.add("  bind " + BALANCER + ":" + at);
      lines.add("  server gateway %s:%d source %s %s".formatted(GATEWAY, at, FROM, header));
    }
    var file = Files.write(folder.resolve("haproxy.cfg"), lines);
    var output = folder.resolve("haproxy.out");
    var process =
        new ProcessBuilder(program().orElseThrow().toString(), "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    var balancer = new Balancer(process);
    try {
      await("haproxy listens, and has said: " + output)
          .atMost(PATIENCE)
          .until(() -> isListening(port + NODES));
    } catch (RuntimeException e) {
      balancer.close();
      throw new AssertionError("haproxy said: " + Files.readString(output), e);
    }
    return balancer;
  }

  private static boolean isListening(int at) {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral(BALANCER), at));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A filter that remembers from where Produce and Fetch requests came. */
  private static final class Sources implements FilterFactory {
    private final Set<String> addresses = new ConcurrentSkipListSet<>();

    VirtualClusterSpec on(VirtualClusterSpec spec) {
      var settings = Settings.of(settings(), Map.of());
      return spec.withFilters(
          List.of(new FilterSpec("sources", this, settings, FilterSpec.DEFAULT_TIME_LIMIT)));
    }

    @Override
    public String type() {
      return "Sources";
    }

    @Override
    public List<Setting<?>> settings() {
      return List.of();
    }

    @Override
    public Filter create(Settings settings, FilterScope scope) {
      return new Filter() {
        @Override
        public Wanted wanted() {
          return Wanted.NOTHING.andRequests(ApiKeys.PRODUCE).andRequests(ApiKeys.FETCH);
        }

        @Override
        public CompletionStage<RequestVerdict> onRequest(Exchange exchange, ApiMessage request) {
          addresses.add(exchange.client().getAddress().getHostAddress());
          return RequestVerdict.forward(request);
        }
      };
    }
  }
}
