package dev.sluice.planner.reading;

/** What a server does in a KRaft cluster, by Kafka's own names. */
public enum Role {
  BROKER,
  CONTROLLER
}
