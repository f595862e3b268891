package dev.sluice.lifecycle.doors;

import dev.sluice.lifecycle.reload.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** Where a virtual cluster can be reached by what is admitted. */
final class Reach {

  private final Map<String, Set<String>> addresses = new HashMap<>();
  private final Set<String> everywhere = new HashSet<>();
  private final Map<Integer, List<Place>> byPort = new HashMap<>();

  /**
   * @param served gateways by the doors of who is admitted; empty: nobody is
   */
  Reach(SortedMap<Doorway, String> served) {
    served.forEach(
        (door, gateway) -> {
          var place = door.place();
          addresses.computeIfAbsent(gateway, _ -> new HashSet<>()).add(place.address());
          byPort.computeIfAbsent(place.port(), _ -> new ArrayList<>()).add(place);
          if (place.isEverywhere()) {
            everywhere.add(gateway);
          }
        });
  }

  /** When a door that nobody names closes at the latest; empty: it does not linger. */
  Optional<Instant> end(Doorway door, Standing one, Instant now) {
    if (addresses.isEmpty()) {
      return one.until();
    }
    return one.gateway()
        .filter(gateway -> isStillReached(gateway, door.place()))
        .map(_ -> one.until().orElseGet(() -> now.plus(Doors.LONGEST)));
  }

  private boolean isStillReached(String gateway, Place left) {
    var sameGateway = addresses.getOrDefault(gateway, Collections.emptySet());
    return (everywhere.contains(gateway) || sameGateway.contains(left.address()))
        && byPort.getOrDefault(left.port(), Collections.emptyList()).stream()
            .noneMatch(left::meets);
  }
}
