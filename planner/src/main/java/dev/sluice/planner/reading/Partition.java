package dev.sluice.planner.reading;

import java.util.ArrayList;
import java.util.List;

/**
 * One partition while {@link Partitions#forEach} passes it by. The same object is used for all of
 * them: whoever wants to keep something of it, takes a copy.
 */
public final class Partition {

  static final int IN_SYNC = 1;
  static final int ELIGIBLE = 2;

  /** The most replicas of a partition, a bound of this form and far above any use. */
  public static final int REPLICAS_MAX = 127;

  String topic = "";
  int number;
  int minimum;
  int size;
  final int[] indexes = new int[REPLICAS_MAX];
  final byte[] marks = new byte[REPLICAS_MAX];

  private final int[] servers;

  Partition(int[] servers) {
    this.servers = servers;
  }

  public String topic() {
    return topic;
  }

  public int number() {
    return number;
  }

  /** The topic's {@code min.insync.replicas}. */
  public int minimum() {
    return minimum;
  }

  /** How many replicas it has. */
  public int size() {
    return size;
  }

  /** The server of a replica. */
  public int replica(int position) {
    return servers[indexes[position]];
  }

  /** The place of a replica's server in {@link Partitions#servers()}. */
  public int index(int position) {
    return indexes[position];
  }

  public boolean inSync(int position) {
    return (marks[position] & IN_SYNC) != 0;
  }

  /** Whether the replica is an eligible leader that is out of sync (KIP-966). */
  public boolean eligible(int position) {
    return (marks[position] & ELIGIBLE) != 0;
  }

  /**
   * Whether losing a replica can do harm that not losing it would have spared. With as many
   * replicas as the minimum, or fewer, every restart takes the partition below it: waiting helps
   * nobody.
   */
  public boolean constrains() {
    return size > minimum;
  }

  /** A copy of the name. */
  public String name() {
    return topic + "-" + number;
  }

  public List<Integer> replicas() {
    List<Integer> copy = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      copy.add(replica(i));
    }
    return copy;
  }

  public List<Integer> inSync() {
    List<Integer> copy = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      if (inSync(i)) {
        copy.add(replica(i));
      }
    }
    return copy;
  }
}
