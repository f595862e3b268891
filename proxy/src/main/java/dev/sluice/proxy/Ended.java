package dev.sluice.proxy;

/**
 * How a proxy ended.
 *
 * @param byPolicy whether a virtual cluster failed for good and the policy is to serve nothing then
 * @param why a sentence
 */
public record Ended(boolean byPolicy, String why) {}
