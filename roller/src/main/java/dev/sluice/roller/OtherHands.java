package dev.sluice.roller;

import dev.sluice.planner.Memory;
import dev.sluice.planner.reading.Fact.Known;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.View;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Notices that somebody else starts servers of a cluster that we roll: a process began that we did
 * not ask for. Used by the thread of the loop only.
 */
final class OtherHands {

  private final Duration quiet;
  private final Map<Integer, Instant> processes = new HashMap<>();
  private Optional<String> seen = Optional.empty();
  private Instant lastSeen = Instant.MIN;

  OtherHands(Duration quiet) {
    this.quiet = quiet;
  }

  /** The view, with whoever else was seen at work lately. */
  View look(View view, Memory memory) {
    view.servers()
        .forEach(
            (id, server) -> {
              if (server.platform() instanceof Known<PlatformReading>(PlatformReading platform, _)
                  && platform.running()) {
                started(id, platform.since(), view.now(), memory);
              }
            });
    boolean recent = Duration.between(lastSeen, view.now()).compareTo(quiet) < 0;
    return new View(
        view.now(),
        view.servers(),
        view.quorum(),
        view.partitions(),
        view.reassignments(),
        recent ? seen : Optional.empty());
  }

  private void started(int server, Instant since, Instant now, Memory memory) {
    Instant before = processes.put(server, since);
    boolean ours = memory.of(server).outstanding().isPresent();
    if (before != null && !before.equals(since) && !ours) {
      seen = Optional.of("server " + server + " was started at " + since + ", not by this roll");
      lastSeen = now;
    }
  }
}
