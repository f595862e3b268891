/**
 * The Kafka side of a roll. {@link dev.sluice.roller.cluster.ClusterObserver} asks platform,
 * recovery probe and Kafka about everything at once and puts a view together out of what answered
 * in time; {@link dev.sluice.roller.cluster.ClusterActuator} restarts, reconfigures and elects.
 * Both share one {@link dev.sluice.roller.cluster.KafkaAccess}: one Admin client per kind of end
 * point.
 */
@NullMarked
package dev.sluice.roller.cluster;

import org.jspecify.annotations.NullMarked;
