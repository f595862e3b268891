package dev.sluice.planner;

import dev.sluice.planner.batching.Puzzle;
import dev.sluice.planner.reading.Partition;
import dev.sluice.planner.reading.Partitions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What partitions forbid. A replica counts when Kafka says that it is in sync <em>and</em> its
 * server is well: an in-sync set is up to a session time-out late in noticing a death.
 */
final class PartitionSafety {

  /** The most partitions that one block names. */
  static final int NAMED_MAX = 8;

  private final Partitions partitions;
  private final Map<Integer, Assessment> servers;
  private final int margin;
  private final int[] ids;
  private final boolean[] counts;
  private final boolean[] stopped;
  private final boolean[] idle;
  private final boolean[] returning;
  private final boolean[] assumedBack;
  private int marginReduced;
  private List<Integer> surveyed = List.of();
  private SortedMap<Integer, List<Block>> blocks = new TreeMap<>();
  private Puzzle.Builder puzzle = Puzzle.builder(0);

  /**
   * @param assumedBack servers whose replicas are all taken to be in sync, for a look ahead
   */
  PartitionSafety(
      Partitions partitions,
      Map<Integer, Assessment> servers,
      int margin,
      Set<Integer> assumedBack) {
    this.partitions = partitions;
    this.servers = servers;
    this.margin = margin;
    this.ids = partitions.servers();
    this.counts = new boolean[ids.length];
    this.stopped = new boolean[ids.length];
    this.idle = new boolean[ids.length];
    this.returning = new boolean[ids.length];
    this.assumedBack = new boolean[ids.length];
    for (int i = 0; i < ids.length; i++) {
      Assessment server = servers.get(ids[i]);
      if (server == null) {
        continue; // nobody looks at it: it does not count
      }
      this.assumedBack[i] = assumedBack.contains(ids[i]);
      counts[i] = server.condition().counts() || this.assumedBack[i];
      boolean notReady = server.condition() instanceof Condition.NotReady;
      stopped[i] = server.condition() instanceof Condition.NotRunning;
      idle[i] = stopped[i] || (notReady && server.fenced());
      returning[i] = stopped[i] || notReady;
    }
  }

  /** Partitions that got a smaller margin than wanted, as of the last look. */
  int marginReduced() {
    return marginReduced;
  }

  /**
   * Why each of these servers, alone, may not be restarted now; nothing for those that may. One
   * pass over all partitions, kept until another set of servers is asked about.
   */
  SortedMap<Integer, List<Block>> blocks(List<Integer> candidates) {
    survey(candidates);
    return blocks;
  }

  /** Which of these servers may go together, each of which may go alone. */
  Puzzle puzzle(List<Integer> candidates, int sizeMax) {
    survey(candidates);
    return puzzle.build(sizeMax);
  }

  private void survey(List<Integer> candidates) {
    if (candidates.equals(surveyed)) {
      return;
    }
    int[] nodes = nodes(candidates);
    int[] together = new int[Partition.REPLICAS_MAX];
    Findings thin = new Findings();
    Findings last = new Findings();
    Puzzle.Builder limits = Puzzle.builder(candidates.size());
    marginReduced = 0;
    partitions.forEach(
        partition -> {
          if (partition.constrains()) {
            marginReduced += usedMargin(partition) < margin ? 1 : 0;
            int present = present(partition);
            int slack = present - floor(partition);
            look(partition, nodes, thin, last);
            int count = slack < 1 ? 0 : members(partition, nodes, together);
            limits.atMost(slack, together, count);
          }
        });
    blocks = new TreeMap<>();
    thin.named.forEach(
        (server, named) -> add(server, new Block.PartitionsTooThin(named, thin.count(server))));
    last.named.forEach(
        (server, named) -> add(server, new Block.MayBeLastLeader(named, last.count(server))));
    puzzle = limits;
    surveyed = List.copyOf(candidates);
  }

  Partitions read() {
    return partitions;
  }

  /**
   * Partitions that these servers take below their minimum whatever the order: none to spare.
   *
   * @param named some of them
   */
  record NoneToSpare(List<String> named, int count) {}

  NoneToSpare withNoneToSpare(Set<Integer> targets) {
    List<String> named = new ArrayList<>();
    int[] found = {0};
    int[] nodes = nodes(List.copyOf(targets));
    if (partitions.withNoneToSpare() > 0) {
      partitions.forEach(
          partition -> {
            if (!partition.constrains() && loses(partition, nodes)) {
              found[0]++;
              if (named.size() < NAMED_MAX) {
                named.add(partition.topic() + "-" + partition.number());
              }
            }
          });
    }
    return new NoneToSpare(named, found[0]);
  }

  private boolean loses(Partition partition, int[] nodes) {
    for (int i = 0; i < partition.size(); i++) {
      int index = partition.index(i);
      if (nodes[index] >= 0 && !stopped[index] && partition.inSync(i)) {
        return true;
      }
    }
    return false;
  }

  /** The nodes that a restart takes out of a partition's in-sync set; how many. */
  int members(Partition partition, int[] nodes, int[] into) {
    int count = 0;
    for (int i = 0; i < partition.size(); i++) {
      int index = partition.index(i);
      if (nodes[index] >= 0 && in(partition, i) && counts[index]) {
        into[count++] = nodes[index];
      }
    }
    return count;
  }

  /** In-sync replicas that a partition must keep. */
  int floor(Partition partition) {
    return partition.minimum() + usedMargin(partition);
  }

  int present(Partition partition) {
    int present = 0;
    for (int i = 0; i < partition.size(); i++) {
      present += in(partition, i) && counts[partition.index(i)] ? 1 : 0;
    }
    return present;
  }

  /** Numbers candidates from 0, by the place of their server; -1 for all others. */
  int[] nodes(List<Integer> candidates) {
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int i = 0; i < candidates.size(); i++) {
      numbers.put(candidates.get(i), i);
    }
    int[] nodes = new int[ids.length];
    Arrays.setAll(nodes, i -> numbers.getOrDefault(ids[i], -1));
    return nodes;
  }

  PartitionStanding standing(Partition partition) {
    SortedMap<Integer, String> missing = new TreeMap<>();
    for (int i = 0; i < partition.size(); i++) {
      int index = partition.index(i);
      if (!in(partition, i) || !counts[index]) {
        Assessment server = servers.get(ids[index]);
        missing.put(
            ids[index],
            server == null
                ? "which nobody looks at"
                : counts[index]
                    ? "out of sync, " + server.condition().sentence()
                    : server.condition().sentence());
      }
    }
    return new PartitionStanding(
        partition.topic(),
        partition.number(),
        partition.replicas(),
        partition.inSync(),
        partition.minimum(),
        usedMargin(partition),
        missing);
  }

  private void look(Partition partition, int[] nodes, Findings thin, Findings last) {
    int present = present(partition);
    int floor = floor(partition);
    for (int i = 0; i < partition.size(); i++) {
      int index = partition.index(i);
      if (nodes[index] < 0 || stopped[index]) {
        continue; // what does not run takes nothing away when it is started
      }
      boolean takesAway = in(partition, i) && !idle[index];
      int left = present - (takesAway && counts[index] ? 1 : 0);
      boolean tooThin = left < floor && (takesAway || !returning[index]);
      if (tooThin) {
        thin.add(ids[index], partition);
      }
      if (partition.eligible(i) && present < partition.minimum()) {
        last.add(ids[index], partition);
      }
    }
  }

  private boolean in(Partition partition, int position) {
    return partition.inSync(position) || assumedBack[partition.index(position)];
  }

  private int usedMargin(Partition partition) {
    return Math.clamp(partition.size() - partition.minimum() - 1, 0, margin);
  }

  private void add(int server, Block block) {
    blocks.computeIfAbsent(server, _ -> new ArrayList<>()).add(block);
  }

  /** Partitions found against servers: all counted, a few named. */
  private final class Findings {
    private final SortedMap<Integer, List<PartitionStanding>> named = new TreeMap<>();
    private final Map<Integer, Integer> counts = new HashMap<>();

    void add(int server, Partition partition) {
      counts.merge(server, 1, Integer::sum);
      List<PartitionStanding> some = named.computeIfAbsent(server, _ -> new ArrayList<>());
      if (some.size() < NAMED_MAX) {
        some.add(standing(partition));
      }
    }

    int count(int server) {
      return counts.getOrDefault(server, 0);
    }
  }
}
