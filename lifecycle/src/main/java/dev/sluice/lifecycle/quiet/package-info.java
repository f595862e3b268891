/**
 * How one client connection goes quiet, decided by pure functions over values.
 *
 * <p>A connection is {@linkplain dev.sluice.lifecycle.quiet.QuietEvent.Marked marked} with {@link
 * dev.sluice.lifecycle.quiet.Terms}. From then on whatever is read, answered and written on it is
 * told to {@link dev.sluice.lifecycle.quiet.Quiescing#on}, which says, as {@link
 * dev.sluice.lifecycle.quiet.QuietAction}s to obey in order, what to forward, what to hold, which
 * response asks the client for a pause, which request is answered in the broker's place, and when
 * the end is sent. Before the mark nothing has to be told: a connection that is not drained costs
 * nothing. What came of it is a {@link dev.sluice.lifecycle.quiet.QuietReport}.
 *
 * <p>{@link dev.sluice.lifecycle.quiet.Stagger} says in which order the connections of a virtual
 * cluster are marked: those of one client node by node, different clients side by side.
 *
 * <p>Times are nanoseconds from an origin of the shell's choosing, such as {@code System.nanoTime};
 * they are only compared by their difference. The requests of a connection are numbered in the
 * order in which they were read. What a request or response means in the protocol comes in as a
 * fact: nothing in here knows an API.
 */
@NullMarked
package dev.sluice.lifecycle.quiet;

import org.jspecify.annotations.NullMarked;
