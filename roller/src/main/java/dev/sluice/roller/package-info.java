/**
 * Rolls real servers. A {@link dev.sluice.roller.RollLoop} looks at everything at once ({@link
 * dev.sluice.roller.Observer}), lets the planner decide, looks once more when the decision is to
 * act, writes down what it is about to do ({@link dev.sluice.roller.Journal}), does it ({@link
 * dev.sluice.roller.Actuator}), and looks again. No plan outlives the look that it was made from,
 * and everything that must outlive this process is in the journal.
 *
 * <p>Ports are in this package; what they are made of lies in the packages below it: {@code
 * cluster} talks to Kafka, {@code platform} to whoever owns the servers' processes, {@code
 * recovery} to what knows about the replay of logs.
 *
 * <p>One thread runs a loop. Looks and actions use threads of their own, each within a bound, and
 * none of them decides anything.
 */
@NullMarked
package dev.sluice.roller;

import org.jspecify.annotations.NullMarked;
