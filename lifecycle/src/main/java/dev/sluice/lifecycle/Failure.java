package dev.sluice.lifecycle;

import java.time.Instant;

/**
 * Why a generation could not be set up.
 *
 * @param at when it was found
 * @param generation the one that could not be set up
 * @param attempt which set-up of it, from 1
 * @param code short, for alerts: {@code port-busy}, {@code key-unreadable}
 * @param cause a sentence: what was expected, what was found, what to do; no secrets
 */
public record Failure(Instant at, int generation, int attempt, String code, String cause) {}
