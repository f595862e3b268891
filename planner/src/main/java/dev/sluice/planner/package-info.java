/**
 * What the roller does next. {@link dev.sluice.planner.Planner} looks at one view of a Kafka
 * cluster, at what it remembers and at the policy, and answers: nothing is left to do, wait, act on
 * these servers, or stop. It is a pure function: the same view, memory and policy always have the
 * same answer, and the dry run is the real thing with a printing actuator.
 *
 * <p>The way of a decision: {@code Classifier} gives every server one {@link
 * dev.sluice.planner.Condition} and one {@link dev.sluice.planner.Need}; {@code Halts} looks for
 * what must stop the roll; {@code Staging} puts what is left into its order; {@code
 * PartitionSafety} and {@code QuorumSafety} say what may not be touched now; the batching package
 * finds who may go together. Every answer carries its reasons as values, and every value says
 * itself in one sentence.
 */
@NullMarked
package dev.sluice.planner;

import org.jspecify.annotations.NullMarked;
