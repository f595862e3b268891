package dev.sluice.app.configuration;

import dev.sluice.lifecycle.reload.Place;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.HostNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which port is wanted by whom, and where two want the same. Gateways that go by host names may
 * share a port, if no name is wanted twice and they listen in the same way.
 */
final class PortClaims {

  private static final int LAST_PORT = 65_535;

  /**
   * A place that somebody wants.
   *
   * @param shared how it can be shared; null: it cannot
   */
  private record Claim(Place place, String owner, int line, @Nullable Sharing shared) {}

  private record Sharing(GatewaySpec gateway, HostNames names) {
    boolean listensAs(Sharing other) {
      return gateway.proxyProtocol() == other.gateway.proxyProtocol();
    }
  }

  private final Findings findings;
  private final Map<Integer, List<Claim>> claims = new HashMap<>();

  PortClaims(Findings findings) {
    this.findings = findings;
  }

  /**
   * Tells a collision, naming both owners.
   *
   * @param path of the value that asks for the port
   * @param bindAddress empty: all local addresses
   */
  void claim(String path, Optional<String> bindAddress, int port, String owner) {
    claim(path, port, new Claim(Place.of(bindAddress, port), owner, findings.lineOf(path), null));
  }

  /** Claims the port of a gateway that goes by host names. */
  void claimShared(Entry entry, GatewaySpec spec, HostNames names, String owner) {
    var path = entry.path("bootstrapAddress");
    var claim =
        new Claim(
            Place.of(spec.bindAddress(), spec.bootstrapAddress().port()),
            owner,
            findings.lineOf(path),
            new Sharing(spec, names));
    claim(path, spec.bootstrapAddress().port(), claim);
  }

  private void claim(String path, int port, Claim claim) {
    var wanted = claims.computeIfAbsent(port, _ -> new ArrayList<>());
    for (var other : wanted) {
      var objection = claim.place().meets(other.place()) ? objection(port, claim, other) : null;
      if (objection != null) {
        findings.error(
            path,
            objection
                + " "
                + claim.owner()
                + " and by "
                + other.owner()
                + " in line "
                + other.line());
        break;
      }
    }
    wanted.add(claim);
  }

  private static @Nullable String objection(int port, Claim claim, Claim other) {
    if (claim.shared != null
        && other.shared != null
        && claim.place().equals(other.place())
        && claim.shared.listensAs(other.shared)) {
      return claim
          .shared
          .names()
          .common(other.shared.names())
          .map(name -> "expected host names of its own, found that '" + name + "' is wanted by")
          .orElse(null);
    }
    return claim.shared != null && other.shared != null
        ? "expected gateways that share port "
            + port
            + " to have the same bindAddress and proxyProtocol, found others wanted by"
        : "expected a port of its own, found that port " + port + " is wanted by";
  }

  /** Claims all ports of a gateway at which the port identifies the node. */
  void claimAll(Entry entry, GatewaySpec spec, String owner) {
    var bind = spec.bindAddress();
    var key = entry.has("nodeStartPort") ? "nodeStartPort" : "bootstrapAddress";
    claim(
        entry.path("bootstrapAddress"),
        bind,
        spec.bootstrapAddress().port(),
        owner + " (bootstrap)");
    var nodes = spec.nodeIdRanges().stream().mapToLong(r -> r.end() - (long) r.start() + 1).sum();
    var last = spec.nodeStartPort() + nodes - 1;
    if (last > LAST_PORT) {
      entry.error(
          key,
          "expected the ports of all "
              + nodes
              + " nodes to be at most "
              + LAST_PORT
              + ", found that they need "
              + spec.nodeStartPort()
              + " to "
              + last);
      return;
    }
    var port = spec.nodeStartPort();
    for (var range : spec.nodeIdRanges()) {
      for (int node = range.start(); node <= range.end(); node++) {
        claim(entry.path(key), bind, port++, owner + " (node " + node + ")");
      }
    }
  }
}
