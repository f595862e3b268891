package dev.sluice.planner;

/**
 * A person takes the blame: one rule, for one server. Every plan that makes use of it says so.
 *
 * @param server its id
 */
public record Exemption(int server, Rule rule) {}
