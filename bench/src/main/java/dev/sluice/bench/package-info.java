/**
 * What the proxy costs, measured beside its peers: the same load, the same broker, the same
 * minutes.
 *
 * <p>{@link dev.sluice.bench.BenchCommand} is the door, {@code bench/run} its handle. A {@code
 * SideBySide} run starts one broker, a stub that answers at once ({@code StubMain}), one JVM with
 * the clients ({@code LoadMain}) and, for one {@code Workload} after the other, one process per
 * {@code Arm}: nothing in between, a bare relay ({@code RelayMain}), the proxy as users run it, its
 * peers. A {@code Course} says what an arm does in a turn; in each round all arms have theirs, in
 * an order by chance. What an arm's process used meanwhile is read from its clock ({@code
 * CpuClock}).
 *
 * <p>Figures become {@code Findings}, in which arms are compared within each round, and those
 * become a table of the workload's own on the page ({@code ResultTables}, {@code PerformancePage}).
 *
 * <p>CPU time per byte is the figure that survives a noisy machine; ratios between arms of the same
 * round survive it best. Nothing here is a test of speed: no build fails because a machine is slow.
 */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;
