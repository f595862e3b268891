package dev.sluice.simulation.quiet;

import dev.sluice.lifecycle.quiet.Quiescing;
import dev.sluice.lifecycle.quiet.QuietEvent;
import dev.sluice.lifecycle.quiet.QuietState;
import dev.sluice.lifecycle.quiet.QuietStep;
import java.util.function.Supplier;

/** The real decision. A mutant overrides it, wrongly. */
public interface QuietDecisions {

  /** As it is. */
  Supplier<QuietDecisions> REAL = () -> new QuietDecisions() {};

  /** {@link Quiescing#on}. */
  default QuietStep on(QuietState state, QuietEvent event) {
    return Quiescing.on(state, event);
  }
}
