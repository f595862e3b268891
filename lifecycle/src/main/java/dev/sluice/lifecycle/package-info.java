/**
 * The life of a virtual cluster, decided by pure functions over values.
 *
 * <p>A shell keeps one {@link dev.sluice.lifecycle.Life}. Whatever happens is told to it as a
 * {@link dev.sluice.lifecycle.ClusterEvent}; {@link dev.sluice.lifecycle.Lifecycle#on} answers with
 * a {@link dev.sluice.lifecycle.Step}: the next {@link dev.sluice.lifecycle.ClusterState}, the
 * {@link dev.sluice.lifecycle.Action}s to obey in order, and the reason. What comes of the actions
 * is told as events again. {@link dev.sluice.lifecycle.FailurePolicy} says what follows when a
 * cluster fails, {@link dev.sluice.lifecycle.StartUp} when the first client may be served, {@link
 * dev.sluice.lifecycle.ProxyState} and {@link dev.sluice.lifecycle.Readiness} what the proxy as a
 * whole looks like.
 *
 * <p>Nothing in here reads a clock, rolls dice, waits, logs or fails. Values are immutable and may
 * be read by any thread.
 */
@NullMarked
package dev.sluice.lifecycle;

import org.jspecify.annotations.NullMarked;
