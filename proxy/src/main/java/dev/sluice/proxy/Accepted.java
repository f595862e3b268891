package dev.sluice.proxy;

import dev.sluice.lifecycle.Step;

/**
 * What came of a configuration that was handed in.
 *
 * @param generation its number, for what is asked for next
 * @param step what the virtual cluster did; refused: nothing of it is kept
 */
public record Accepted(int generation, Step step) {}
