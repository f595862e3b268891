package dev.sluice.simulation.roll;

import java.time.Instant;

/** The truth about one partition; sets of servers are bits. */
final class SimPartition {

  final String topic;
  final int minimum;
  int replicas;
  int inSync;
  int eligible;
  boolean reassigning;

  /** When something changed of it that no look from before can show. */
  Instant changed;

  SimPartition(String topic, int minimum, int replicas, Instant now) {
    this.topic = topic;
    this.minimum = minimum;
    this.replicas = replicas;
    this.inSync = replicas;
    this.changed = now;
  }

  boolean constrains() {
    return Integer.bitCount(replicas) > minimum;
  }

  int margin(int wanted) {
    return Math.clamp(Integer.bitCount(replicas) - minimum - 1, 0, wanted);
  }

  boolean has(int server) {
    return (replicas & (1 << server)) != 0;
  }

  /**
   * A replica leaves the in-sync set; the last one stays in it although it is gone. Below the
   * minimum nothing is acknowledged any more, so that whoever leaves then still has it all
   * (KIP-966).
   */
  void leave(int server) {
    int bit = 1 << server;
    if ((inSync & bit) == 0 || inSync == bit) {
      return;
    }
    inSync &= ~bit;
    if (Integer.bitCount(inSync) < minimum) {
      eligible |= bit;
    }
  }

  /** A replica comes back from an unclean stop, and may have lost what it had. */
  void distrust(int server) {
    leave(server);
    eligible &= ~(1 << server);
  }

  /** A replica has caught up with a leader that lives. */
  boolean join(int server, int serving) {
    int bit = 1 << server;
    boolean leads = (inSync & serving) != 0 || (inSync & bit) != 0;
    if (leads) {
      inSync |= bit;
      eligible &= ~bit;
      if (Integer.bitCount(inSync) >= minimum) {
        eligible = 0;
      }
    }
    return leads;
  }

  int present(int serving) {
    return Integer.bitCount(inSync & serving);
  }

  @Override
  public String toString() {
    return "%s(min %d, replicas %s, in sync %s)"
        .formatted(
            topic, minimum, Integer.toBinaryString(replicas), Integer.toBinaryString(inSync));
  }
}
