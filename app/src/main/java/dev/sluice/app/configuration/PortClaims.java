package dev.sluice.app.configuration;

import dev.sluice.lifecycle.reload.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which port is wanted by whom, and where two want the same. */
final class PortClaims {

  private record Claim(Place place, String owner, int line) {}

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
    var place = Place.of(bindAddress, port);
    var wanted = claims.computeIfAbsent(port, _ -> new ArrayList<>());
    wanted.stream()
        .filter(claim -> claim.place().meets(place))
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
    wanted.add(new Claim(place, owner, findings.lineOf(path)));
  }
}
