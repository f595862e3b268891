/**
 * What every simulated world is made of: {@link dev.sluice.simulation.VirtualTime}, {@link
 * dev.sluice.simulation.Chance}, {@link dev.sluice.simulation.Trace} and {@link
 * dev.sluice.simulation.InvariantBroken}.
 *
 * <p>A world is built from a seed and nothing else, so that the same seed gives the same run on any
 * machine. It runs in one thread, in two phases: first everything goes wrong and nothing bad may
 * happen (safety), then the faults stop and everything has to settle (liveness). The worlds are in
 * the packages below; none knows of another.
 */
@NullMarked
package dev.sluice.simulation;

import org.jspecify.annotations.NullMarked;
