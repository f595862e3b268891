package dev.sluice.planner;

import dev.sluice.planner.reading.PlatformReading.Kind;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/** Why a server is to be restarted. */
public sealed interface RestartReason {

  /** One clause. */
  String sentence();

  /** What attempts are counted by: the same however often its details change. */
  default String kind() {
    return getClass().getSimpleName();
  }

  /** Whether both are there for one thing, so that the second shows the first to be in vain. */
  default boolean repeats(RestartReason earlier) {
    return switch (this) {
      case KeysDiffer(List<String> keys) ->
          earlier instanceof KeysDiffer(List<String> others) && !Collections.disjoint(keys, others);
      case ChangeHadNoEffect(List<String> keys) ->
          earlier instanceof ChangeHadNoEffect(List<String> others)
              && !Collections.disjoint(keys, others);
      // Whoever does not serve again served in between: attempts bound that, it is no loop.
      case DoesNotServe _ -> false;
      case RevisionDiffers _, Asked _ -> equals(earlier);
    };
  }

  /** It runs from another definition than the desired one. */
  record RevisionDiffers(String running, String desired) implements RestartReason {
    @Override
    public String sentence() {
      return "runs revision '%s', desired is '%s'".formatted(running, desired);
    }
  }

  /** Keys differ that take effect only at a start. */
  record KeysDiffer(List<String> keys) implements RestartReason {
    public KeysDiffer {
      keys = List.copyOf(keys);
    }

    @Override
    public String sentence() {
      return "differs in keys that only a start changes: " + String.join(", ", keys);
    }
  }

  /** A change of the running server did not take effect, however often it was made. */
  record ChangeHadNoEffect(List<String> keys) implements RestartReason {
    public ChangeHadNoEffect {
      keys = List.copyOf(keys);
    }

    @Override
    public String sentence() {
      return "changing it while running had no effect: " + String.join(", ", keys);
    }
  }

  /** Somebody asked. */
  record Asked(Kind by, String detail, Instant at) implements RestartReason {
    @Override
    public String kind() {
      return "Asked " + by;
    }

    @Override
    public String sentence() {
      return switch (by) {
        case BY_HAND -> "asked for by hand at " + at + ": " + detail;
        case CERTIFICATE -> "a certificate changed: " + detail;
        case VOLUME -> "a volume is resized: " + detail;
      };
    }
  }

  /** It runs, is not ready and positively does not recover. */
  record DoesNotServe(String why) implements RestartReason {
    @Override
    public String sentence() {
      return "does not serve: " + why;
    }
  }
}
