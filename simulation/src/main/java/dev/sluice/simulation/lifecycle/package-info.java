/**
 * A proxy with a few virtual clusters, simulated around the real decisions of {@code
 * dev.sluice.lifecycle}.
 *
 * <p>{@link dev.sluice.simulation.lifecycle.LifecycleWorld} makes everything out of a seed: the
 * failure policy, {@code SimHost}s that obey actions as a shell would (with latencies, failures and
 * late answers), a {@code SimReloader}, and people who ask for retries, drains and shutdown at the
 * worst moment. A {@code Witness} for each cluster writes down what was asked of it and what
 * happened, and checks the {@link dev.sluice.simulation.lifecycle.Invariant}s after every event, by
 * its own book and not by the state that it checks. {@link
 * dev.sluice.simulation.lifecycle.Decisions} is where a test puts a mutant.
 */
@NullMarked
package dev.sluice.simulation.lifecycle;

import org.jspecify.annotations.NullMarked;
