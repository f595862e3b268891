package dev.sluice.app.configuration;

import dev.sluice.proxy.VirtualClusterSpec;
import dev.sluice.proxy.tls.TlsMaterial;
import dev.sluice.proxy.tls.TlsMaterialException;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens all that {@code tls} names, as the proxy does when it sets a virtual cluster up. Not done
 * when a configuration is read: there, one that cannot be opened concerns one virtual cluster.
 */
public final class TlsCheck {

  private final List<String> objections = new ArrayList<>();

  private TlsCheck() {}

  /** What cannot be used, in sentences. Blocks. */
  public static List<String> objections(Configuration configuration) {
    var check = new TlsCheck();
    configuration
        .management()
        .tls()
        .ifPresent(tls -> check.open("management", () -> TlsMaterial.checkTowardsClients(tls)));
    configuration.proxy().virtualClusters().forEach(check::open);
    return List.copyOf(check.objections);
  }

  private interface Opening {
    void open() throws TlsMaterialException;
  }

  private void open(VirtualClusterSpec cluster) {
    var name = "virtual cluster " + cluster.name();
    cluster
        .upstreamTls()
        .ifPresent(tls -> open(name + ", target", () -> TlsMaterial.checkTowardsBrokers(tls)));
    for (var gateway : cluster.gateways()) {
      gateway
          .tls()
          .ifPresent(
              tls ->
                  open(
                      name + ", gateway " + gateway.name(),
                      () -> TlsMaterial.checkTowardsClients(tls)));
    }
  }

  private void open(String where, Opening opening) {
    try {
      opening.open();
    } catch (TlsMaterialException e) {
      objections.add(where + ": " + e.sentence());
    }
  }
}
