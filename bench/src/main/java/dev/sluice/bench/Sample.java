package dev.sluice.bench;

/**
 * One figure of one arm.
 *
 * @param round from 1
 */
record Sample(int round, Arm arm, Metric metric, double value) {}
