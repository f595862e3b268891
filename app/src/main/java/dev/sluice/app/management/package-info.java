/**
 * Where a running proxy is watched, and told what to do: HTTP for people, probes and Prometheus.
 *
 * <p>{@link dev.sluice.app.management.ManagementServer} is the door. Everything that it shows is
 * derived from immutable views of the proxy; nothing here keeps a state of its own. Beside it,
 * three listeners hear every step of every virtual cluster and pass it on: as events to browsers,
 * as metrics, and as a message to whom the failure policy names. None of them can hold a step up:
 * queues are bounded, and who is slow is dropped.
 */
@NullMarked
package dev.sluice.app.management;

import org.jspecify.annotations.NullMarked;
