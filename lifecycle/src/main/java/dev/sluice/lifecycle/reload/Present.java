package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState;

/**
 * A virtual cluster as it actually is, whatever was asked for last.
 *
 * @param blueprint of the generation that its state is about
 */
public record Present(String name, ClusterState state, Blueprint blueprint) {}
