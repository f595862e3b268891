package dev.sluice.simulation.lifecycle;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.Lifecycle;
import dev.sluice.lifecycle.Recovery;
import dev.sluice.lifecycle.StartUp;
import dev.sluice.lifecycle.Step;
import java.time.Instant;
import java.util.Collection;
import java.util.function.Supplier;

/** The real decisions. A mutant overrides one of them, wrongly. */
public interface Decisions {

  /** As they are. */
  Supplier<Decisions> REAL = () -> new Decisions() {};

  /** {@link Lifecycle#on}; the name is for mutants that mix clusters up. */
  default Step on(String cluster, ClusterState state, ClusterEvent event) {
    return Lifecycle.on(state, event);
  }

  /** {@link FailurePolicy#recoveryAfter}. */
  default Recovery recoveryAfter(FailurePolicy policy, int attempt, Instant at, double chance) {
    return policy.recoveryAfter(attempt, at, chance);
  }

  /** {@link FailurePolicy#after}. */
  default FailurePolicy.Aftermath after(FailurePolicy policy, Step step) {
    return policy.after(step);
  }

  /** {@link StartUp#opensBarrier}. */
  default boolean opensBarrier(Collection<ClusterState> states) {
    return StartUp.opensBarrier(states);
  }
}
