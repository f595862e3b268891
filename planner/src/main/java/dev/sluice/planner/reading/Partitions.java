package dev.sluice.planner.reading;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The partitions of a cluster, reduced to what a plan needs. A partition of up to six replicas
 * takes at most 16 bytes: one for the number of replicas, one bit a replica for "in sync", one for
 * "eligible", two bytes a replica for the server. Names and minima are kept once a topic.
 *
 * <p>Immutable, and safe to share between threads; each {@link #forEach} has its own cursor.
 */
public final class Partitions {

  /** No partition at all. */
  public static final Partitions NONE = builder().build();

  /** The most partitions of one reading: twice what the largest clusters of today hold. */
  public static final int PARTITIONS_MAX = 4_000_000;

  /** The most distinct servers that replicas may name. */
  public static final int SERVERS_MAX = 65_535;

  private static final int CHUNK_BYTES_MIN = 1 << 9;
  private static final int CHUNK_BYTES_MAX = 1 << 16;

  private final List<byte[]> chunks;
  private final List<Run> runs;
  private final int[] servers;
  private final int[] outOfSync;
  private final int count;
  private final int withNoneToSpare;
  private final long bytes;

  private Partitions(Builder from) {
    this.chunks = List.copyOf(from.chunks);
    this.runs = List.copyOf(from.runs);
    this.servers = Arrays.copyOf(from.servers, from.serverCount);
    this.outOfSync = Arrays.copyOf(from.outOfSync, from.serverCount);
    this.count = from.count;
    this.withNoneToSpare = from.withNoneToSpare;
    this.bytes = from.bytes;
  }

  /** Partitions of one topic with consecutive numbers, from one offset on. */
  private record Run(String topic, int minimum, int first, int length, int chunk, int offset) {}

  public static Builder builder() {
    return new Builder();
  }

  public int count() {
    return count;
  }

  /** How many have no more replicas than their minimum: every restart takes them below it. */
  public int withNoneToSpare() {
    return withNoneToSpare;
  }

  /** Bytes that the partitions themselves take, without the names of their topics. */
  public long bytes() {
    return bytes;
  }

  /** The servers that hold replicas, in the order in which they were first seen. */
  public int[] servers() {
    return servers.clone();
  }

  /** In how many partitions that have a replica on this server it is not in sync. */
  public int outOfSync(int server) {
    for (int i = 0; i < servers.length; i++) {
      if (servers[i] == server) {
        return outOfSync[i];
      }
    }
    return 0;
  }

  /** Passes every partition by, topic by topic in the order in which they were added. */
  public void forEach(Consumer<Partition> visitor) {
    Partition cursor = new Partition(servers);
    for (Run run : runs) {
      cursor.topic = run.topic;
      cursor.minimum = run.minimum;
      int chunk = run.chunk;
      int offset = run.offset;
      byte[] from = chunks.get(chunk);
      for (int i = 0; i < run.length; i++) {
        if (offset == from.length || from[offset] == 0) {
          from = chunks.get(++chunk);
          offset = 0;
        }
        cursor.number = run.first + i;
        offset = read(from, offset, cursor);
        visitor.accept(cursor);
      }
    }
  }

  private static int read(byte[] from, int start, Partition into) {
    int size = from[start];
    int maskBytes = (size + 7) >>> 3;
    int at = start + 1 + 2 * maskBytes;
    into.size = size;
    for (int i = 0; i < size; i++) {
      int inSync = (from[start + 1 + (i >>> 3)] >>> (i & 7)) & 1;
      int eligible = (from[start + 1 + maskBytes + (i >>> 3)] >>> (i & 7)) & 1;
      into.marks[i] = (byte) (inSync | (eligible << 1));
      into.indexes[i] = ((from[at] & 0xff) << 8) | (from[at + 1] & 0xff);
      at += 2;
    }
    return at;
  }

  /** Takes partitions in, one at a time, and keeps nothing else of where they came from. */
  public static final class Builder {
    private final List<byte[]> chunks = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final Map<Integer, Integer> indexes = new HashMap<>();
    private int[] servers = new int[16];
    private int[] outOfSync = new int[16];
    private int serverCount;
    private int count;
    private int withNoneToSpare;
    private long bytes;
    private byte[] current = new byte[0];
    private int used;
    private String topic = "";
    private int minimum;
    private int runFirst;
    private int runLength;
    private int runChunk;
    private int runOffset;

    private Builder() {}

    /**
     * Begins a topic.
     *
     * @param minimum its {@code min.insync.replicas}
     */
    public Builder topic(String name, int minimum) {
      endRun();
      this.topic = name;
      this.minimum = minimum;
      return this;
    }

    /**
     * Adds a partition of the topic begun last.
     *
     * @param replicas by server id, at most {@link Partition#REPLICAS_MAX}
     * @param inSync the in-sync set; members that hold no replica are left out
     * @param eligible eligible leaders out of sync (KIP-966)
     */
    public Builder partition(int number, int[] replicas, int[] inSync, int[] eligible) {
      int size = replicas.length;
      if (size == 0 || size > Partition.REPLICAS_MAX || count == PARTITIONS_MAX) {
        throw new IllegalArgumentException(
            "expected 1 to %d replicas and at most %d partitions, found %d replicas in %s-%d, partition %d"
                .formatted(Partition.REPLICAS_MAX, PARTITIONS_MAX, size, topic, number, count + 1));
      }
      int maskBytes = (size + 7) >>> 3;
      int length = 1 + 2 * maskBytes + 2 * size;
      if (used + length > current.length) {
        int next = Math.clamp(2L * current.length, CHUNK_BYTES_MIN, CHUNK_BYTES_MAX);
        current = new byte[next];
        chunks.add(current);
        used = 0;
      }
      if (runLength == 0 || number != runFirst + runLength) {
        endRun();
        runFirst = number;
        runChunk = chunks.size() - 1;
        runOffset = used;
      }
      write(replicas, inSync, eligible, maskBytes);
      used += length;
      bytes += length;
      runLength++;
      count++;
      withNoneToSpare += size <= minimum ? 1 : 0;
      return this;
    }

    public Builder partition(int number, int[] replicas, int[] inSync) {
      return partition(number, replicas, inSync, new int[0]);
    }

    public Partitions build() {
      endRun();
      return new Partitions(this);
    }

    private void write(int[] replicas, int[] inSync, int[] eligible, int maskBytes) {
      int size = replicas.length;
      current[used] = (byte) size;
      for (int i = 0; i < size; i++) {
        int index = index(replicas[i]);
        int bit = 1 << (i & 7);
        if (contains(inSync, replicas[i])) {
          current[used + 1 + (i >>> 3)] |= (byte) bit;
        } else {
          outOfSync[index]++;
          if (contains(eligible, replicas[i])) {
            current[used + 1 + maskBytes + (i >>> 3)] |= (byte) bit;
          }
        }
        int at = used + 1 + 2 * maskBytes + 2 * i;
        current[at] = (byte) (index >>> 8);
        current[at + 1] = (byte) index;
      }
    }

    private int index(int server) {
      Integer known = indexes.get(server);
      if (known != null) {
        return known;
      }
      if (serverCount == SERVERS_MAX) {
        throw new IllegalArgumentException(
            "expected at most " + SERVERS_MAX + " servers, found one more: " + server);
      }
      if (serverCount == servers.length) {
        servers = Arrays.copyOf(servers, 2 * serverCount);
        outOfSync = Arrays.copyOf(outOfSync, 2 * serverCount);
      }
      servers[serverCount] = server;
      indexes.put(server, serverCount);
      return serverCount++;
    }

    private void endRun() {
      if (runLength > 0) {
        runs.add(new Run(topic, minimum, runFirst, runLength, runChunk, runOffset));
      }
      runLength = 0;
    }

    private static boolean contains(int[] in, int wanted) {
      for (int each : in) {
        if (each == wanted) {
          return true;
        }
      }
      return false;
    }
  }
}
