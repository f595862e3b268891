package dev.sluice.app.reload;

import dev.sluice.app.configuration.Finding;
import dev.sluice.proxy.ReloadReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Who asked for a reload, and what came of it.
 *
 * @param number counts the reloads that were asked for since the process began, from 1
 * @param askedBy such as {@code SIGHUP} or {@code management API}
 * @param source where the configuration came from: a path, or {@code request body}
 * @param took from the asking on
 */
public record ReloadResult(
    long number, String askedBy, String source, Instant at, Duration took, Ending ending) {

  /** What came of it. */
  public sealed interface Ending {

    /**
     * It was done, or only planned.
     *
     * @param warnings of the configuration
     */
    record Done(ReloadReport report, List<Finding> warnings) implements Ending {
      public Done {
        warnings = List.copyOf(warnings);
      }
    }

    /** Errors were found: nothing was touched. */
    record Invalid(List<Finding> findings) implements Ending {
      public Invalid {
        findings = List.copyOf(findings);
      }
    }

    /** It would change what holds for as long as the process runs: nothing was touched. */
    record Unchangeable(List<String> sections) implements Ending {
      public Unchangeable {
        sections = List.copyOf(sections);
      }
    }
  }

  /** The name in the API and metrics: {@code applied}, {@code invalid}, and so on. */
  public String outcome() {
    return switch (ending) {
      case Ending.Done(var report, _) ->
          switch (report.verdict()) {
            case UNCHANGED -> "unchanged";
            case APPLIED -> "applied";
            case PARTLY -> "partly";
            case FAILED -> "failed";
            case SUPERSEDED -> "superseded";
            case CUT_SHORT -> "cut-short";
            case PLANNED -> "planned";
          };
      case Ending.Invalid _ -> "invalid";
      case Ending.Unchangeable _ -> "unchangeable";
    };
  }

  /** Whether what was asked for is what runs now, or was only planned. */
  public boolean isAsAsked() {
    return ending instanceof Ending.Done(var report, _)
        && switch (report.verdict()) {
          case UNCHANGED, APPLIED, PLANNED -> true;
          case PARTLY, FAILED, SUPERSEDED, CUT_SHORT -> false;
        };
  }

  /** All names that {@link #outcome} can give for what was not only planned. */
  static List<String> outcomes() {
    return List.of(
        "unchanged",
        "applied",
        "partly",
        "failed",
        "superseded",
        "cut-short",
        "invalid",
        "unchangeable");
  }
}
