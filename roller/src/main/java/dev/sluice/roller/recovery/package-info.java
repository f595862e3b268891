/**
 * What knows about the replay of a server's logs: an agent that answers over HTTP, or the server's
 * own metrics over JMX. Both answer within time-outs, and what they do not tell is not known.
 */
@NullMarked
package dev.sluice.roller.recovery;

import org.jspecify.annotations.NullMarked;
