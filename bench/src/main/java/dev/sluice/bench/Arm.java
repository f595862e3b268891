package dev.sluice.bench;

import java.util.Locale;

/** What stands between the clients and the broker. */
enum Arm {
  /** Nothing. */
  DIRECT,
  /** Netty that passes bytes on without looking at them. */
  RELAY,
  /** The proxy. */
  SLUICE,
  /** HAProxy in TCP mode. */
  HAPROXY,
  /** A proxy that decodes: Kroxylicious, without filters. */
  KROXYLICIOUS;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it looks into nothing, so that the broker itself must advertise the arm's port. */
  boolean isBlind() {
    return this == RELAY || this == HAPROXY;
  }

  /** The name of the broker's listener behind it. */
  String listener() {
    return isBlind() ? name() : "PLAINTEXT";
  }
}
