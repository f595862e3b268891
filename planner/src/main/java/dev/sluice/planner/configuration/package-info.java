/**
 * What differs between the configuration that a server should have and the one that it has, and
 * which of it can be changed without a restart. What Kafka knows about its own keys (type, default,
 * whether and where it can change while running) is an input: a {@link
 * dev.sluice.planner.configuration.KeyTable}, made from Kafka's own classes by whoever has them.
 */
@NullMarked
package dev.sluice.planner.configuration;

import org.jspecify.annotations.NullMarked;
