package dev.sluice.proxy;

import dev.sluice.lifecycle.Life;
import dev.sluice.proxy.tls.ServingTls;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * What can be seen of a virtual cluster at one moment.
 *
 * @param life its state, since when and why, its history
 * @param spec the configuration that its state is about
 * @param connections of clients that are open
 * @param requestsInFlight requests read whose responses have not been written
 * @param drain how far a running drain, or the leaving of a former generation, has come
 * @param lastDrain what the last one came to
 * @param nodesLeftOut brokers that some gateway has no address for: clients wait in vain for what
 *     they lead
 * @param gatewayTls what gateways speak with clients, by their names; those that are not there
 *     speak plain text, or are not set up
 * @param lingeringPorts which are open only for clients that do not know yet where else to go, and
 *     until when at the latest
 */
public record ClusterView(
    Life life,
    VirtualClusterSpec spec,
    int connections,
    int requestsInFlight,
    Optional<DrainProgress> drain,
    Optional<DrainReport> lastDrain,
    SortedSet<Integer> nodesLeftOut,
    SortedMap<String, ServingTls> gatewayTls,
    SortedMap<Integer, Instant> lingeringPorts) {}
