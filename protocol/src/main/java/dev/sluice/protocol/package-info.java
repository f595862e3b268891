/**
 * The Kafka wire, as far as the proxy has to know it: no sockets, no policy.
 *
 * <p>The proxy keeps no decoder in its pipelines. It hands in the bytes of one read and an index,
 * and asks. {@link dev.sluice.protocol.RequestPeek} reads a request's head in place and {@link
 * dev.sluice.protocol.FrameCheck} says what it was if it was no request. {@link
 * dev.sluice.protocol.Apis} tells, for each API and version, how much of request and response must
 * be looked at: most pass opaque.
 *
 * <p>To let a connection go quiet there is more to know: which responses can tell a client to
 * pause, and how to write that into them as they pass ({@link dev.sluice.protocol.Throttle}, {@link
 * dev.sluice.protocol.ThrottleStamp}); how long a fetch may stay with the broker ({@link
 * dev.sluice.protocol.FetchPeek}), and the empty answer that ends it ({@link
 * dev.sluice.protocol.EmptyFetch}); and what a client takes quietly for an answer when a request is
 * not forwarded any more ({@link dev.sluice.protocol.Refusals}). When to do any of it is not known
 * here.
 */
@NullMarked
package dev.sluice.protocol;

import org.jspecify.annotations.NullMarked;
