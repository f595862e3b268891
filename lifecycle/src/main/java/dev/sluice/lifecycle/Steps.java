package dev.sluice.lifecycle;

import dev.sluice.lifecycle.Reason.Code;
import java.util.List;

/** Short words for steps, so that the switches read as a table. */
final class Steps {

  private Steps() {}

  static Step moved(ClusterState next, Reason reason, Action... actions) {
    return new Step.Moved(next, List.of(actions), reason);
  }

  static Step noted(ClusterState next, Reason reason, Action... actions) {
    return new Step.Noted(next, List.of(actions), reason);
  }

  static Step stayed(Code code, String sentence) {
    return new Step.Stayed(new Reason(code, sentence));
  }

  static Step outdated() {
    return stayed(Code.OUTDATED, "This is about something that is over: nothing to do.");
  }

  static Step refused(Code code, String sentence) {
    return new Step.Refused(new Reason(code, sentence));
  }

  /** Refused because of what the state is about, or because of the reload that is under way. */
  static Step refusedBy(ClusterState now, String sentence) {
    return refused(now.isUnderReload() ? Code.UNDER_RELOAD : Code.NOT_POSSIBLE_NOW, sentence);
  }

  static Step refusedNow(String sentence) {
    return refused(Code.NOT_POSSIBLE_NOW, sentence);
  }

  static Step notNewer(int generation, ClusterState now) {
    return refusedNow(
        "Generation "
            + generation
            + " is not newer than "
            + now.generation()
            + ": number it anew.");
  }

  static Reason because(Code code, String sentence) {
    return new Reason(code, sentence);
  }
}
