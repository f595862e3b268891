package dev.sluice.roller;

import dev.sluice.planner.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a roll did, as far as it is.
 *
 * @param batches in order
 * @param waited how long the roll waited for what, the longest first
 * @param starved partitions that could have done better and were seen below their minimum
 * @param longestLook how long the longest observation took
 */
public record RollReport(
    Instant began,
    Instant at,
    List<Batch> batches,
    Map<String, Duration> waited,
    List<String> starved,
    Duration longestLook) {

  public RollReport {
    batches = List.copyOf(batches);
    starved = List.copyOf(starved);
  }

  /**
   * Servers that were acted upon together.
   *
   * @param servers by id
   */
  public record Batch(Instant at, Stage stage, List<Action> servers) {
    public Batch {
      servers = List.copyOf(servers);
    }
  }

  /**
   * What was done to one server.
   *
   * @param what in words
   * @param took until it was steady again; empty as long as it is not, and for changes
   * @param failure what the platform or Kafka said against it
   */
  public record Action(
      int server, String what, Optional<Duration> took, Optional<String> failure) {}

  public Duration lasting() {
    return Duration.between(began, at);
  }
}
