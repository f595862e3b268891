package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Kind;
import java.time.Instant;

/**
 * One entry of a history.
 *
 * @param generation the one that the state after it is about
 */
public record Transition(Instant at, Kind from, Kind to, Reason reason, int generation) {}
