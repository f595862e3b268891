/**
 * The proxy: gateways on which clients arrive, the connections that serve them, and the virtual
 * clusters whose lives decide who is served.
 *
 * <p>{@link dev.sluice.proxy.Proxy} is the door. It keeps one {@code VirtualClusterHost} for each
 * virtual cluster, which owns the cluster's life (module lifecycle), tells it what happened and
 * does what it says. What one configuration holds is a {@code Generation}: listening sockets,
 * brokers, connections. A {@code ClientConnection} pairs a client's socket with one to a broker, on
 * one event loop; {@code RequestHandler} and {@code ResponseHandler} walk the bytes of each
 * direction from header to header and pass them on without copying them.
 *
 * <p>Two kinds of threads run here: event loops, which move bytes and never wait, and one control
 * thread, on which every state changes. Looking names up is left to virtual threads.
 */
@NullMarked
package dev.sluice.proxy;

import org.jspecify.annotations.NullMarked;
