package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.quiet.QuietReport;
import java.time.Duration;
import java.time.Instant;

/**
 * What a drain, or the leaving of a former generation, came to.
 *
 * @param way {@code DRAIN} of every drain, whatever it was for
 * @param generation that was left
 * @param connections how many there were when it began
 * @param counted what became of them; what was cut included
 */
public record DrainReport(
    Way way, int generation, Instant since, Duration took, int connections, QuietReport counted) {}
