/**
 * Puts servers into as few batches as their partitions allow. A puzzle of plain numbers: nodes, and
 * sets of nodes of which at most so many may go together. Where at most one may, it is the
 * colouring of a graph; with slack it is the colouring of a hypergraph with capacities. Both are
 * hard, so this is a good guess, improved within a bound of work, by the same path at all sizes; an
 * exhaustive search over small clusters measures how good.
 */
@NullMarked
package dev.sluice.planner.batching;

import org.jspecify.annotations.NullMarked;
