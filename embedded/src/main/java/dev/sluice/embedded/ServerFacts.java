package dev.sluice.embedded;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * What the supervisor knows of a server now.
 *
 * @param id the server's id
 * @param pid of the last JVM started, 0 if there was none
 * @param alive whether that JVM is there; a paused one is
 * @param paused whether it was paused and not resumed
 * @param exitStatus how the last JVM ended (128 + signal if by a signal); empty while alive and
 *     before the first start
 * @param startedAt when the last JVM was started; the epoch if there was none
 * @param endedAt when the last JVM ended; the epoch while it is alive and before the first start
 * @param starts how many JVMs were started so far
 * @param runningRevision hash of properties and command at the last start; empty if there was none
 * @param desiredRevision hash of properties and command as they are on disk
 */
public record ServerFacts(
    int id,
    long pid,
    boolean alive,
    boolean paused,
    OptionalInt exitStatus,
    Instant startedAt,
    Instant endedAt,
    int starts,
    String runningRevision,
    String desiredRevision) {

  private static final String NOTHING = "-";

  /** Whether a restart would change what the server runs with. */
  public boolean outdated() {
    return !runningRevision.equals(desiredRevision);
  }

  String line() {
    return String.join(
        " ",
        Integer.toString(id),
        Long.toString(pid),
        Boolean.toString(alive),
        Boolean.toString(paused),
        exitStatus.isPresent() ? Integer.toString(exitStatus.getAsInt()) : NOTHING,
        startedAt.toString(),
        endedAt.toString(),
        Integer.toString(starts),
        runningRevision.isEmpty() ? NOTHING : runningRevision,
        desiredRevision);
  }

  static ServerFacts parse(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length != ServerFacts.class.getRecordComponents().length) {
      throw new IllegalStateException("Expected the facts of a server, found: " + line);
    }
    return new ServerFacts(
        Integer.parseInt(parts[0]),
        Long.parseLong(parts[1]),
        Boolean.parseBoolean(parts[2]),
        Boolean.parseBoolean(parts[3]),
        parts[4].equals(NOTHING) ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(parts[4])),
        Instant.parse(parts[5]),
        Instant.parse(parts[6]),
        Integer.parseInt(parts[7]),
        parts[8].equals(NOTHING) ? "" : parts[8],
        parts[9]);
  }
}
