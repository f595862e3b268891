package dev.sluice.lifecycle.quiet;

import java.util.List;

/**
 * The answer of {@link Quiescing#on} to an event.
 *
 * @param actions what the shell has to do, in order
 * @param because the last thing that was decided in it
 */
public record QuietStep(QuietState state, List<QuietAction> actions, Because because) {
  public QuietStep {
    actions = List.copyOf(actions);
  }

  static QuietStep of(QuietState state, Because because, QuietAction... actions) {
    return new QuietStep(state, List.of(actions), because);
  }
}
