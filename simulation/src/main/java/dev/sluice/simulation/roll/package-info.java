/**
 * A simulated Kafka cluster that is rolled. {@link dev.sluice.simulation.roll.RollWorld} builds it
 * from a seed: servers that start, recover, catch up and crash, in-sync sets that shrink and grow,
 * a metadata quorum that lags and loses its leader, topics that come and go. {@code SimRoller}
 * looks at it through facts that may be missing or late, asks the real planner, and may itself die
 * between any two steps. {@code Witness} knows the truth and holds every action against it.
 */
@NullMarked
package dev.sluice.simulation.roll;

import org.jspecify.annotations.NullMarked;
