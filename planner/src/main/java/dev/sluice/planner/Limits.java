package dev.sluice.planner;

import dev.sluice.planner.Forecast.Limiting;
import dev.sluice.planner.reading.Partition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Finds the partitions that keep batches small: for every batch, the servers of later batches that
 * came nearest to joining it, and what forbade it.
 */
final class Limits {

  /** The most servers named for one batch. */
  static final int SERVERS_MAX = 8;

  /** The most partitions named for one server. */
  static final int PARTITIONS_MAX = 16;

  private final PartitionSafety safety;
  private final List<Integer> servers;
  private final int[] nodes;
  private final int[] batchOf;
  private final int[] sizes;
  private final int sizeMax;
  private final int[] together = new int[Partition.REPLICAS_MAX];

  Limits(PartitionSafety safety, List<Integer> servers, List<int[]> batches, int sizeMax) {
    this.safety = safety;
    this.servers = servers;
    this.sizeMax = sizeMax;
    this.nodes = safety.nodes(servers);
    this.batchOf = new int[servers.size()];
    this.sizes = new int[batches.size()];
    for (int batch = 0; batch < batches.size(); batch++) {
      sizes[batch] = batches.get(batch).length;
      for (int node : batches.get(batch)) {
        batchOf[node] = batch;
      }
    }
  }

  /** For each batch, the nearest misses first. */
  List<List<Limiting>> find() {
    int[][] counts = new int[sizes.length][];
    Arrays.setAll(counts, batch -> sizes[batch] < sizeMax ? new int[servers.size()] : new int[0]);
    forEachMiss((_, node, batch) -> counts[batch][node]++);
    List<SortedMap<Integer, Miss>> near = new ArrayList<>();
    for (int[] count : counts) {
      near.add(nearest(count));
    }
    forEachMiss(
        (partition, node, batch) -> {
          Miss miss = near.get(batch).get(node);
          if (miss != null && miss.named < PARTITIONS_MAX) {
            miss.named++;
            miss.topics
                .computeIfAbsent(partition.topic(), _ -> new ArrayList<>())
                .add(partition.number());
          }
        });
    return near.stream().map(this::limiting).toList();
  }

  private interface Visitor {
    void missed(Partition partition, int node, int batch);
  }

  /** Every partition that keeps a server from an earlier batch. */
  private void forEachMiss(Visitor visitor) {
    safety
        .read()
        .forEach(
            partition -> {
              if (partition.constrains()) {
                int count = safety.members(partition, nodes, together);
                int slack = safety.present(partition) - safety.floor(partition);
                if (count > slack) {
                  misses(partition, count, slack, visitor);
                }
              }
            });
  }

  private void misses(Partition partition, int count, int slack, Visitor visitor) {
    for (int i = 0; i < count; i++) {
      int batch = batchOf[together[i]];
      if (sizes[batch] == sizeMax || inBatch(batch, 0, i) > 0 || inBatch(batch, 0, count) < slack) {
        continue;
      }
      for (int j = 0; j < count; j++) {
        if (batchOf[together[j]] > batch) {
          visitor.missed(partition, together[j], batch);
        }
      }
    }
  }

  private int inBatch(int batch, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i++) {
      found += batchOf[together[i]] == batch ? 1 : 0;
    }
    return found;
  }

  private static SortedMap<Integer, Miss> nearest(int[] counts) {
    SortedMap<Integer, Miss> near = new TreeMap<>();
    IntStream.range(0, counts.length)
        .filter(node -> counts[node] > 0)
        .boxed()
        .sorted(Comparator.comparingInt(node -> counts[node]))
        .limit(SERVERS_MAX)
        .forEach(node -> near.put(node, new Miss(counts[node])));
    return near;
  }

  private List<Limiting> limiting(SortedMap<Integer, Miss> misses) {
    return misses.entrySet().stream()
        .sorted(Comparator.comparingInt(each -> each.getValue().partitions))
        .map(
            each ->
                new Limiting(
                    servers.get(each.getKey()), each.getValue().topics, each.getValue().partitions))
        .toList();
  }

  private static final class Miss {
    private final int partitions;
    private final SortedMap<String, List<Integer>> topics = new TreeMap<>();
    private int named;

    Miss(int partitions) {
      this.partitions = partitions;
    }
  }
}
