package dev.sluice.proxy;

import dev.sluice.lifecycle.Life;

/**
 * What can be seen of a virtual cluster at one moment.
 *
 * @param life its state, since when and why, its history
 * @param spec the configuration that its state is about
 * @param connections of clients that are open
 * @param requestsInFlight requests read whose responses have not been written
 */
public record ClusterView(
    Life life, VirtualClusterSpec spec, int connections, int requestsInFlight) {}
