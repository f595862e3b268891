package dev.sluice.embedded;

/** What a server of a KRaft cluster does; a combined server has both roles. */
public enum Role {
  /** Serves clients and keeps partitions. */
  BROKER,
  /** Votes in the metadata quorum. */
  CONTROLLER;

  /** The name in Kafka's {@code process.roles}. */
  String kafkaName() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
