package dev.sluice.proxy;

import java.util.Locale;

/** Why a client connection ended. The label of {@code sluice_disconnects_total}. */
public enum DisconnectCause {
  /** The client closed it. */
  CLIENT_CLOSED,
  /** The Kafka broker closed it. */
  UPSTREAM_CLOSED,
  /** No address of the Kafka broker could be reached. */
  UPSTREAM_UNREACHABLE,
  /** The client sent what is no Kafka request, or one that the proxy does not know. */
  BAD_REQUEST,
  /** The Kafka broker sent what is no answer to what was asked. */
  BAD_RESPONSE,
  /** The client and its gateway could not agree upon TLS. */
  TLS_FAILED,
  /** A filter ended it, or failed. */
  FILTERED,
  /** Nothing moved for longer than the idle time-out. */
  IDLE,
  /** A request or a response had begun, and did not go on. */
  STALLED,
  /** The virtual cluster had as many connections as it may have. */
  TOO_MANY_CONNECTIONS,
  /** No memory was left for its bytes. */
  NO_MEMORY,
  /** A drain, after everything in flight was answered. */
  DRAINED,
  /** A drain whose deadline passed. */
  FORCED,
  /** The socket failed, or the proxy did. */
  FAILED;

  /** As in metrics and logs. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
