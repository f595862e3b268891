/**
 * What the proxy costs, measured beside its peers: the same load, the same broker, the same
 * minutes.
 *
 * <p>{@link dev.sluice.bench.BenchCommand} is the door, {@code bench/run} its handle. A {@code
 * SideBySide} run starts one broker, one JVM with Kafka's clients and one process per {@code Arm}:
 * nothing in between, a bare relay ({@code RelayMain}), the proxy as users run it, HAProxy. Each
 * round sends every {@code Workload} through every arm, in an order by chance; what an arm's
 * process used meanwhile is read from the operating system ({@code ProcessReading}).
 *
 * <p>CPU time per byte is the figure that survives a noisy machine; ratios between arms of the same
 * round survive it best. Nothing here is a test of speed: no build fails because a machine is slow.
 */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;
