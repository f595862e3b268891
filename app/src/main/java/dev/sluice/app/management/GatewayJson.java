package dev.sluice.app.management;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.proxy.ClusterView;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.tls.ServingTls;
import java.util.Locale;
import java.util.Optional;

/** Where clients reach a virtual cluster, and how they are spoken with there. Tells no secrets. */
final class GatewayJson {

  private GatewayJson() {}

  /** All gateways of one, in the order of the configuration. */
  static void put(ObjectNode cluster, ClusterView view) {
    var gateways = cluster.putArray("gateways");
    for (var gateway : view.spec().gateways()) {
      gateways.add(of(gateway, Optional.ofNullable(view.gatewayTls().get(gateway.name()))));
    }
  }

  private static ObjectNode of(GatewaySpec gateway, Optional<ServingTls> spoken) {
    var node = Json.object();
    node.put("name", gateway.name());
    node.put("bootstrapAddress", gateway.bootstrapAddress().toString());
    node.put("proxyProtocol", gateway.proxyProtocol().name().toLowerCase(Locale.ROOT));
    gateway
        .tls()
        .ifPresent(
            asked -> {
              var tls = node.putObject("tls").put("clientAuth", asked.clientAuth().name());
              spoken.ifPresent(made -> put(tls, made));
            });
    return node;
  }

  private static void put(ObjectNode tls, ServingTls made) {
    tls.set("protocols", Json.array(made.protocols()));
    var shown = made.shown();
    tls.putObject("certificate")
        .put("subject", shown.subject())
        .put("issuer", shown.issuer())
        .put("notBefore", Json.time(shown.notBefore()))
        .put("notAfter", Json.time(shown.notAfter()))
        .set("names", Json.array(shown.names()));
  }
}
