package dev.sluice.planner.configuration;

/** Where Kafka lets a key change while a server runs. */
public enum Scope {
  /** Nowhere: a restart. */
  READ_ONLY,
  /** At one broker. */
  PER_BROKER,
  /** For the whole cluster; at one broker as an override, which hides the cluster's value. */
  CLUSTER_WIDE
}
