package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.QuietReport;
import java.time.Instant;
import java.util.List;

/**
 * How far a drain, or the leaving of a former generation, has come.
 *
 * @param way {@code DRAIN} of every drain, whatever it is for
 * @param deadline when what is left is cut
 * @param connectionsAtFirst how many there were when it began
 * @param connectionsLeft how many there still are
 * @param waitsFor some of those, the longest waiting first; empty while it is young
 * @param counted what it came to for those who have gone
 */
public record DrainProgress(
    Way way,
    Instant since,
    Instant deadline,
    int connectionsAtFirst,
    int connectionsLeft,
    List<Straggler> waitsFor,
    QuietReport counted) {

  public DrainProgress {
    waitsFor = List.copyOf(waitsFor);
  }

  /** How many connections have gone, or gone over, so far. */
  public int connectionsGone() {
    return counted.outcomes().values().stream().mapToInt(Integer::intValue).sum();
  }
}
