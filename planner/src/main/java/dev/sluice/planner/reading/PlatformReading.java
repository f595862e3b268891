package dev.sluice.planner.reading;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What the platform says about one server.
 *
 * @param phase how far its process has come
 * @param since when this phase began; for {@link Phase#RUNNING} when the process started, which
 *     also tells one process from the next
 * @param ready whether the platform's own readiness test passes
 * @param why what the platform says about a process that does not start; may be empty
 * @param revisionRunning of the definition that the process was started from; empty when nothing
 *     runs
 * @param revisionDesired of the definition that it would be started from now
 * @param asked reasons to restart that a person or the platform gives
 * @param forbidden why the platform would not let it be restarted now, as a clause that can follow
 *     "may not be restarted: "; empty when it would, as far as it tells
 */
public record PlatformReading(
    Phase phase,
    Instant since,
    boolean ready,
    String why,
    String revisionRunning,
    String revisionDesired,
    List<Asked> asked,
    Optional<String> forbidden) {

  public PlatformReading {
    Objects.requireNonNull(phase, "phase");
    Objects.requireNonNull(since, "since");
    Objects.requireNonNull(why, "why");
    Objects.requireNonNull(revisionRunning, "revisionRunning");
    Objects.requireNonNull(revisionDesired, "revisionDesired");
    Objects.requireNonNull(forbidden, "forbidden");
    asked = List.copyOf(asked);
  }

  /** Of a platform that forbids nothing. */
  public PlatformReading(
      Phase phase,
      Instant since,
      boolean ready,
      String why,
      String revisionRunning,
      String revisionDesired,
      List<Asked> asked) {
    this(phase, since, ready, why, revisionRunning, revisionDesired, asked, Optional.empty());
  }

  /** The same, with other reasons. */
  public PlatformReading withAsked(List<Asked> reasons) {
    return new PlatformReading(
        phase, since, ready, why, revisionRunning, revisionDesired, reasons, forbidden);
  }

  public boolean running() {
    return phase == Phase.RUNNING;
  }

  /**
   * A restart that was asked for.
   *
   * @param kind who or what asks
   * @param detail what for, in words of whoever asks
   * @param at when; a process that started later has done it
   */
  public record Asked(Kind kind, String detail, Instant at) {
    public Asked {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(detail, "detail");
      Objects.requireNonNull(at, "at");
    }
  }

  /** Who or what asks for a restart. */
  public enum Kind {
    /** A person. */
    BY_HAND,
    /** A certificate or an authority that the process has to load anew. */
    CERTIFICATE,
    /** A volume whose file system is resized at a start. */
    VOLUME
  }
}
