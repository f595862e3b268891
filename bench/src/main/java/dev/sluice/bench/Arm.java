package dev.sluice.bench;

import java.util.Locale;

/** What stands between the clients and what they ask. */
enum Arm {
  /** Nothing. */
  DIRECT,
  /** Nothing once more: how far two of the same lie apart. */
  DIRECT2,
  /** Netty that passes bytes on without looking at them. */
  RELAY,
  /** The proxy. */
  SLUICE,
  /** The proxy with one filter, which wants Metadata and nothing else. */
  FILTERED,
  /** HAProxy in TCP mode. */
  HAPROXY,
  /** A proxy that decodes: Kroxylicious, without filters. */
  KROXYLICIOUS;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether there is a process to measure. */
  boolean isBetween() {
    return this != DIRECT && this != DIRECT2;
  }

  /** Whether its process is a JVM. */
  boolean isJava() {
    return isBetween() && this != HAPROXY;
  }

  /** Whether it looks into nothing, so that the broker itself must advertise the arm's port. */
  boolean isBlind() {
    return this == RELAY || this == HAPROXY;
  }
}
