package dev.sluice.app.reload;

import java.time.Instant;

/**
 * Where the running configuration came from.
 *
 * @param source a path, {@code request body}, or what made it
 * @param reload the number of the reload that brought it; 0: the process began with it
 * @param complete whether every virtual cluster came to what it asks for
 */
public record Origin(String source, Instant since, long reload, boolean complete) {}
