/**
 * A proxy that is reloaded again and again, simulated around the real decisions of {@code
 * dev.sluice.lifecycle.reload} and {@code dev.sluice.lifecycle}.
 *
 * <p>{@link dev.sluice.simulation.reload.ReloadWorld} makes sequences of configurations out of a
 * seed: clusters come, go, change, are renamed; reloads overtake each other; preparations fail;
 * Kafka clusters do not say who they are; people drain and retry; the proxy shuts down in the
 * middle. A {@code SimReloadProxy} obeys the machine of a reload, {@code SimReloadCluster}s obey
 * their lifecycles. A {@code ReloadWitness} keeps its own book and holds the outcome of every
 * reload against the {@link dev.sluice.simulation.reload.ReloadInvariant}s. {@link
 * dev.sluice.simulation.reload.ReloadDecisions} is where a test puts a mutant.
 */
@NullMarked
package dev.sluice.simulation.reload;

import org.jspecify.annotations.NullMarked;
