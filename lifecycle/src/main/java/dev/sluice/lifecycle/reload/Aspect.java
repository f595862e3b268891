package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState.Way;

/** What can differ between two configurations of a virtual cluster, and what that costs. */
public enum Aspect {
  /** How long a drain may take, and how it goes on. */
  DRAIN_TIMEOUT("drainTimeout", Way.IN_PLACE),
  /** Bounds on what clients may ask for. */
  LIMITS("limits", Way.IN_PLACE),
  /** What is logged of its traffic. */
  LOGGING("logging", Way.IN_PLACE),
  /** Keys and certificates shown to clients, by their content. */
  CERTIFICATES("certificates", Way.IN_PLACE),
  /** Filters, and the definitions of those that it uses. */
  FILTERS("filters", Way.IN_PLACE),
  /** Where its Kafka cluster is reached. Whether it is another one is asked there. */
  UPSTREAM_ADDRESSES("upstream addresses", Way.IN_PLACE),
  /** How its Kafka cluster is trusted, by content. */
  UPSTREAM_TLS("upstream TLS", Way.IN_PLACE),
  /** Where clients reach it, and the addresses told to them. */
  GATEWAYS("gateways", Way.HANDOVER),
  /** Who authenticates clients: credentials that passed through belong to their connection. */
  AUTHENTICATION("authentication", Way.HANDOVER),
  /** The API versions told to clients, which they ask for once in a connection. */
  API_VERSIONS("API versions", Way.HANDOVER),
  /** What clients call topics and groups: under other names there is another Kafka for them. */
  NAMES("names of topics and groups", Way.DRAIN);

  private final String label;
  private final Way leastWay;

  Aspect(String label, Way leastWay) {
    this.label = label;
    this.leastWay = leastWay;
  }

  /** As people read it. */
  public String label() {
    return label;
  }

  /** The least disruptive way that is correct for it, as long as the Kafka cluster is the same. */
  public Way leastWay() {
    return leastWay;
  }
}
