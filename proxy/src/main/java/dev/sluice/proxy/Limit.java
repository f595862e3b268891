package dev.sluice.proxy;

/**
 * What holds clients and brokers in bounds, by the name that it has in a configuration. The label
 * {@code limit} of metrics.
 */
public enum Limit {
  /** Of a request or response. */
  MAX_FRAME_SIZE("maxFrameSize"),
  /** Connections of one virtual cluster. */
  MAX_CONNECTIONS("maxConnections"),
  /** Requests of one connection: it is not read on. Nothing ends. */
  MAX_IN_FLIGHT("maxInFlight"),
  /** Nothing moved. */
  IDLE("idleTimeout"),
  /** No request was answered. */
  UNAUTHENTICATED("unauthenticatedIdleTimeout"),
  /** A frame that had begun did not go on. */
  PROGRESS("progressTimeout"),
  /** A broker's address did not answer. */
  CONNECT("connectTimeout"),
  /** A client or a broker did not come to the end of a TLS handshake. */
  TLS_HANDSHAKE("tlsHandshakeTimeout");

  private final String label;

  Limit(String label) {
    this.label = label;
  }

  /** As in metrics and in the configuration. */
  public String label() {
    return label;
  }
}
