/**
 * One client connection that is served, and then quiesced, as a world made of a seed: a client with
 * its habits and its distance, a connection of the proxy that obeys {@link
 * dev.sluice.lifecycle.quiet.Quiescing}, and a broker that answers one request after the other, as
 * brokers do.
 *
 * <p>Half of the seeds are calm: the client pauses when asked, the broker answers, nobody leaves.
 * There a drain has to pass unnoticed. In the other half everything goes wrong, and what must hold
 * is {@link dev.sluice.simulation.quiet.QuietInvariant}.
 */
@NullMarked
package dev.sluice.simulation.quiet;

import org.jspecify.annotations.NullMarked;
