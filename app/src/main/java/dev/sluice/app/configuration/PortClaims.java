package dev.sluice.app.configuration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which port is wanted by whom, and where two want the same. */
final class PortClaims {

  private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

  private record Claim(Optional<String> address, String owner, int line) {
    boolean meets(Optional<String> other) {
      return address.isEmpty() || other.isEmpty() || address.equals(other);
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
    var address = bindAddress.filter(a -> !EVERYWHERE.contains(a)).map(PortClaims::canonical);
    var wanted = claims.computeIfAbsent(port, _ -> new ArrayList<>());
    wanted.stream()
        .filter(claim -> claim.meets(address))
        .findFirst()
        .ifPresent(
            claim ->
                findings.error(
                    path,
                    "expected a port of its own, found that port "
                        + port
                        + " is wanted by "
                        + owner
                        + " and by "
                        + claim.owner()
                        + " in line "
                        + claim.line()));
    wanted.add(new Claim(address, owner, findings.lineOf(path)));
  }

  private static String canonical(String address) {
    return address.equals("localhost") ? "127.0.0.1" : address;
  }
}
