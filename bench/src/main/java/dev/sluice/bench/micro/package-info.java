/**
 * What single parts cost by themselves, measured by JMH; {@code bench/micro} runs them all.
 *
 * <p>{@link dev.sluice.bench.micro.PlannerMicro} plans the roll of a cluster as large as any that
 * is known ({@code LargeCluster}). {@link dev.sluice.bench.micro.RequestPeekMicro} and {@link
 * dev.sluice.bench.micro.EndpointSkimMicro} look at frames as Kafka's own classes write them
 * ({@code Frames}), as the proxy does with every request and with every response that may name
 * brokers.
 *
 * <p>{@link dev.sluice.bench.micro.InFlightMicro} asks, answers and writes, as the proxy does with
 * every request.
 *
 * <p>Figures are printed and nothing is asserted: no build fails because a machine is slow.
 */
@NullMarked
package dev.sluice.bench.micro;

import org.jspecify.annotations.NullMarked;
