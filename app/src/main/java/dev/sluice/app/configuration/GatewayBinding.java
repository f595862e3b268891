package dev.sluice.app.configuration;

import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.Nodes;
import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import dev.sluice.proxy.HostNames;
import java.util.Locale;
import java.util.Optional;

/** From an entry of {@code gateways} to its record. */
final class GatewayBinding {

  private static final String BY_HOST_NAME = "sniHostIdentifiesNode";
  private static final String VIRTUAL_CLUSTER_NAME = "$(virtualClusterName)";

  private final Entry gateway;
  private final String cluster;
  private final PortClaims ports;
  private final TlsBinding tls;

  /**
   * @param cluster the name of the gateway's virtual cluster
   * @param ports claimed so far
   */
  GatewayBinding(Entry gateway, String cluster, PortClaims ports, TlsBinding tls) {
    this.gateway = gateway;
    this.cluster = cluster;
    this.ports = ports;
    this.tls = tls;
  }

  /** Empty if it has no address to listen on, which has been told. */
  Optional<GatewaySpec> bind() {
    var name = gateway.text("name");
    if (name.isEmpty()) {
      return Optional.empty();
    }
    var speaks = tls.bind(gateway);
    if (speaks.isPresent() && !gateway.entry("tls").has("key")) {
      gateway.error("tls", "expected the key 'key' with what the gateway shows, which is missing");
    }
    var owner = "virtual cluster " + cluster + ", gateway " + name.get();
    var spec =
        gateway.has(BY_HOST_NAME) ? byHostName(name.get(), owner) : byPort(name.get(), owner);
    return spec.map(bound -> bound.withTls(speaks));
  }

  private ProxyProtocol proxyProtocol() {
    return gateway
        .text("proxyProtocol")
        .map(mode -> ProxyProtocol.valueOf(mode.toUpperCase(Locale.ROOT)))
        .orElse(ProxyProtocol.DISABLED);
  }

  // ---- by port -------------------------------------------------------------------------------

  private Optional<GatewaySpec> byPort(String name, String owner) {
    var entry = gateway.entry("portIdentifiesNode");
    var bootstrap = entry.endpoint("bootstrapAddress");
    if (bootstrap.isEmpty()) {
      return Optional.empty();
    }
    var nodes =
        new Nodes.ByPort(
            entry.integer("nodeStartPort").orElse(bootstrap.get().port() + 1),
            NodeIdRanges.of(entry));
    var spec =
        new GatewaySpec(
            name,
            entry.text("bindAddress"),
            bootstrap.get(),
            nodes,
            entry.text("advertisedBrokerAddressPattern").orElse(bootstrap.get().host()),
            Optional.empty(),
            proxyProtocol());
    ports.claimAll(entry, spec, owner);
    return Optional.of(spec);
  }

  // ---- by host name --------------------------------------------------------------------------

  private Optional<GatewaySpec> byHostName(String name, String owner) {
    var entry = gateway.entry(BY_HOST_NAME);
    if (!gateway.has("tls")) {
      gateway.error(
          "expected the key 'tls' beside sniHostIdentifiesNode, which is missing: only clients that"
              + " speak TLS say which host they want");
    }
    var bootstrap =
        entry
            .endpoint("bootstrapAddress")
            .map(written -> new Endpoint(named(written.host()), written.port()));
    var pattern = entry.text("advertisedBrokerAddressPattern").map(this::named);
    if (bootstrap.isEmpty() || pattern.isEmpty()) {
      return Optional.empty();
    }
    var colon = pattern.get().lastIndexOf(':');
    var host = colon < 0 ? pattern.get() : pattern.get().substring(0, colon);
    var spec =
        new GatewaySpec(
            name,
            entry.text("bindAddress"),
            bootstrap.get(),
            new Nodes.ByHostName(advertisedPort(entry, pattern.get(), bootstrap.get())),
            host,
            Optional.empty(),
            proxyProtocol());
    ports.claimShared(entry, spec, HostNames.of(spec), owner);
    return Optional.of(spec);
  }

  private static int advertisedPort(Entry entry, String pattern, Endpoint bootstrap) {
    var colon = pattern.lastIndexOf(':');
    if (colon < 0) {
      return bootstrap.port();
    }
    var port = Quantities.endpoint("any" + pattern.substring(colon)).map(Endpoint::port);
    if (port.isEmpty()) {
      entry.error(
          "advertisedBrokerAddressPattern",
          "expected a port of 1 to 65535, found " + entry.shown("advertisedBrokerAddressPattern"));
    }
    return port.orElse(bootstrap.port());
  }

  private String named(String text) {
    return text.replace(VIRTUAL_CLUSTER_NAME, cluster);
  }
}
