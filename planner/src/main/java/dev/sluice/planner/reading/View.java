package dev.sluice.planner.reading;

import java.time.Instant;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that one observation saw.
 *
 * @param now when the decision is made
 * @param servers by id
 * @param quorum the metadata quorum
 * @param partitions of all topics; missing as long as nobody needs them
 * @param reassignments under way
 * @param anotherRoll whoever else restarts servers of this cluster, by name
 */
public record View(
    Instant now,
    SortedMap<Integer, ServerReading> servers,
    Fact<QuorumReading> quorum,
    Fact<Partitions> partitions,
    Fact<Reassignments> reassignments,
    Optional<String> anotherRoll) {

  public View {
    Objects.requireNonNull(now, "now");
    Objects.requireNonNull(quorum, "quorum");
    Objects.requireNonNull(partitions, "partitions");
    Objects.requireNonNull(reassignments, "reassignments");
    Objects.requireNonNull(anotherRoll, "anotherRoll");
    servers = Collections.unmodifiableSortedMap(new TreeMap<>(servers));
    servers.forEach(
        (id, server) -> {
          if (id != server.id()) {
            throw new IllegalArgumentException(
                "expected the reading of server " + id + ", found that of " + server.id());
          }
        });
  }

  /** The same view without the facts that were taken before an instant. */
  public View withFactsNotBefore(Instant oldest) {
    SortedMap<Integer, ServerReading> young = new TreeMap<>();
    servers.forEach((id, server) -> young.put(id, server.withFactsNotBefore(oldest)));
    return new View(
        now,
        young,
        quorum.notBefore(oldest),
        partitions.notBefore(oldest),
        reassignments.notBefore(oldest),
        anotherRoll);
  }

  public View withQuorum(Fact<QuorumReading> other) {
    return new View(now, servers, other, partitions, reassignments, anotherRoll);
  }

  public View withPartitions(Fact<Partitions> other) {
    return new View(now, servers, quorum, other, reassignments, anotherRoll);
  }
}
