package dev.sluice.lifecycle.reload;

/** What a reload came to for one virtual cluster. */
public sealed interface ClusterOutcome {

  /** It runs the new generation, which took over this way. */
  record Switched(WayChoice choice) implements ClusterOutcome {}

  /** It did not serve before, and does now. */
  record Begun() implements ClusterOutcome {}

  /** It is removed. */
  record Gone() implements ClusterOutcome {}

  /** The new generation could not be prepared: it never left the one that it runs. */
  record Kept(String cause) implements ClusterOutcome {}

  /** The new generation could not be installed after the drain: the former one serves again. */
  record RolledBack(WayChoice choice, String cause) implements ClusterOutcome {}

  /** It could not be set up, and is not there, as before. */
  record NotAdded(String cause) implements ClusterOutcome {}

  /** It has failed: the failure policy goes on from here. */
  record Failed(String cause) implements ClusterOutcome {}

  /** Nothing could be asked of it now. */
  record Refused(String why) implements ClusterOutcome {}

  /** Left as it was because of another cluster of an atomic reload. */
  record Cancelled(String vetoedBy) implements ClusterOutcome {}

  /** The proxy shut down in the middle. */
  record CutShort() implements ClusterOutcome {}

  /** Whether it came to what was asked for. */
  default boolean isAsAsked() {
    return switch (this) {
      case Switched _, Begun _, Gone _ -> true;
      case Kept _, RolledBack _, NotAdded _, Failed _, Refused _, Cancelled _, CutShort _ -> false;
    };
  }

  /** The name in the API and metrics. */
  default String label() {
    return switch (this) {
      case Switched _ -> "switched";
      case Begun _ -> "begun";
      case Gone _ -> "removed";
      case Kept _ -> "kept";
      case RolledBack _ -> "rolled-back";
      case NotAdded _ -> "not-added";
      case Failed _ -> "failed";
      case Refused _ -> "refused";
      case Cancelled _ -> "cancelled";
      case CutShort _ -> "cut-short";
    };
  }

  /** What was done, and why not more, as a sentence. */
  default String sentence() {
    return switch (this) {
      case Switched(var choice) ->
          "Switched " + wayOf(choice) + ", since " + choice.sentence() + ".";
      case Begun _ -> "It was set up and serves.";
      case Gone _ -> "It was drained and removed.";
      case Kept(var cause) -> cause;
      case RolledBack(var choice, var cause) ->
          "Drained, since " + choice.sentence() + ", and brought back as before. " + cause;
      case NotAdded(var cause) -> "It was not added. " + cause;
      case Failed(var cause) -> "It has failed. " + cause;
      case Refused(var why) -> why;
      case Cancelled(var other) -> "Left as it was: " + other + " could not be prepared.";
      case CutShort _ -> "The proxy shut down before it was done.";
    };
  }

  private static String wayOf(WayChoice choice) {
    return switch (choice.way()) {
      case IN_PLACE -> "in place";
      case HANDOVER -> "by handover";
      case DRAIN -> "by drain";
    };
  }
}
