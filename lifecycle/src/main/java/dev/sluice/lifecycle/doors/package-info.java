/**
 * The doors of one virtual cluster, decided by a pure function: which it listens at, for whom, and
 * for how long one stays open that it has left.
 *
 * <p>Several generations of a virtual cluster name doors; {@link dev.sluice.lifecycle.doors.Doors}
 * counts who names which. One that nobody names any more is closed, unless clients were told of it:
 * they find out where to go next when their metadata is asked for again, and until then it lingers.
 * Whoever else wants its place gets it.
 */
@NullMarked
package dev.sluice.lifecycle.doors;

import org.jspecify.annotations.NullMarked;
