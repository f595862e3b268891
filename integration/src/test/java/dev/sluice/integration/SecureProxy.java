package dev.sluice.integration;

import dev.sluice.embedded.FreePorts;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.GatewaySpec.Nodes;
import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.VirtualClusterSpec;
import dev.sluice.proxy.tls.TlsSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Virtual clusters in front of {@link SecureKafka}. */
final class SecureProxy {

  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

  private SecureProxy() {}

  /** At ports of its own. */
  static VirtualClusterSpec byPort(String name, List<Endpoint> brokers) {
    int port = FreePorts.inARow(2);
    return new VirtualClusterSpec(
        name,
        DRAIN_TIMEOUT,
        brokers,
        List.of(
            new GatewaySpec(
                "local",
                Optional.of("127.0.0.1"),
                new Endpoint("127.0.0.1", port),
                port + 1,
                List.of(new NodeIdRange("all", 1, 1)),
                "127.0.0.1")),
        LimitsSpec.DEFAULT);
  }

  /** At a port that it may share, by names that lead to this machine. */
  static VirtualClusterSpec byHostName(
      String name, List<Endpoint> brokers, int port, TlsSpec shown) {
    return byPort(name, brokers)
        .withGateways(
            List.of(
                new GatewaySpec(
                    "shared",
                    Optional.of("127.0.0.1"),
                    new Endpoint(name + ".sluice.test", port),
                    new Nodes.ByHostName(port),
                    name + "-$(nodeId).sluice.test",
                    Optional.of(shown),
                    ProxyProtocol.DISABLED)));
  }

  static VirtualClusterSpec showing(VirtualClusterSpec spec, TlsSpec shown) {
    return spec.withGateways(List.of(spec.gateways().getFirst().withTls(Optional.of(shown))));
  }

  static VirtualClusterSpec speaking(VirtualClusterSpec spec, TlsSpec tls) {
    return spec.withUpstream(spec.bootstrapServers(), Optional.of(tls));
  }
}
