/**
 * The proxy: gateways on which clients arrive, the connections that serve them, and the virtual
 * clusters whose lives decide who is served.
 *
 * <p>{@link dev.sluice.proxy.Proxy} is the door for people, {@link
 * dev.sluice.proxy.Reconfiguration} that for reloads. A {@code ProxyHost} keeps one {@code
 * VirtualClusterHost} for each virtual cluster, which owns the cluster's life (module lifecycle),
 * tells it what happened and does what it says.
 *
 * <p>What one configuration of a virtual cluster holds is a {@code Generation}: the brokers behind
 * it, its client {@code Connections}, and where it wants clients to arrive. The sockets belong to
 * the virtual cluster: a {@code Door} for each port that some generation names, and whoever is
 * admitted keeps all of them. So one generation follows another without anybody being refused; a
 * {@code Departure} brings the connections of the former one to their end.
 *
 * <p>A {@code ClientConnection} pairs a client's socket with one to a broker, on one event loop;
 * {@code RequestHandler} and {@code ResponseHandler} walk the bytes of each direction from header
 * to header and pass them on without copying them; an {@code IncomingRequest} and a {@code
 * DueResponse} say what becomes of each. What the parts of a connection share is in it; {@code
 * BrokerSide} leads to the broker, {@code ClientSide} back, {@code Parting} brings it to its end.
 * {@code GoingQuiet} makes room for an end that no client notices, or for another generation: then
 * the client's connection stays, and only what is behind it changes.
 *
 * <p>Two kinds of threads run here: event loops, which move bytes and never wait, and one control
 * thread, on which every state changes. Looking names up is left to virtual threads.
 */
@NullMarked
package dev.sluice.proxy;

import org.jspecify.annotations.NullMarked;
