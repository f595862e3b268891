package dev.sluice.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.Forecast.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The planner against a dumb one that tries everything, on clusters that are small enough for that.
 * The dumb one shares no code with it: it knows the rule and nothing of batches.
 */
class OracleTest {

  private static final int SERVERS_MAX = 8;

  /** A partition as the dumb planner sees it. */
  private record Dumb(Set<Integer> replicas, Set<Integer> inSync, int minimum) {

    boolean allows(Set<Integer> batch, Set<Integer> down) {
      if (replicas.size() <= minimum) {
        return true;
      }
      Set<Integer> present = new TreeSet<>(inSync);
      present.removeAll(down);
      boolean below = present.size() < minimum;
      Set<Integer> hit = new TreeSet<>(batch);
      hit.retainAll(below ? replicas : present);
      if (hit.isEmpty()) {
        return true;
      }
      return !below && present.size() - hit.size() >= minimum;
    }
  }

  private record Small(SimCluster cluster, int servers, Set<Integer> down, List<Dumb> partitions) {

    boolean safe(int mask) {
      Set<Integer> batch = new TreeSet<>();
      for (int id = 0; id < servers; id++) {
        if ((mask & (1 << id)) != 0) {
          batch.add(id);
        }
      }
      return partitions.stream().allMatch(partition -> partition.allows(batch, down));
    }
  }

  @Test
  void small_clusters_are_never_planned_less_safely_and_hardly_ever_in_more_batches() {
    compare(6_000, 1);
  }

  @Tag("acceptance")
  @Test
  void a_million_small_clusters_are_never_planned_less_safely() {
    compare(1_000_000, 2);
  }

  private static void compare(int clusters, long firstSeed) {
    System.out.println("oracle: seeds from " + firstSeed + ", " + clusters + " clusters");
    int[] more = new int[SERVERS_MAX + 1];
    List<String> counterexamples = new ArrayList<>();
    for (long seed = firstSeed; seed < firstSeed + clusters; seed++) {
      Small small = small(new SplittableRandom(seed));
      int extra = extraBatches(small, seed);
      more[extra]++;
      if (extra > 0 && counterexamples.size() < 20) {
        counterexamples.add(extra + " more: seed " + seed + ", " + small.partitions());
      }
    }
    System.out.println("batches more than are possible, from 0: " + Arrays.toString(more));
    counterexamples.forEach(System.out::println);
    int moreThanOne = Arrays.stream(more).skip(2).sum();
    assertThat(moreThanOne).isLessThanOrEqualTo(clusters / 1_000);
  }

  private static int extraBatches(Small small, long seed) {
    Policy policy = Policy.DEFAULT.withMaxParallel(SERVERS_MAX).curingDownServers();
    Forecast forecast = Planner.forecast(small.cluster().view(), Memory.EMPTY, policy);
    int candidates = 0;
    for (int id = 0; id < small.servers(); id++) {
      candidates |= !small.down().contains(id) && small.safe(1 << id) ? 1 << id : 0;
    }
    int restarted = 0;
    for (Step step : forecast.steps()) {
      int batch = step.targets().keySet().stream().mapToInt(id -> 1 << id).sum();
      assertThat(small.safe(batch)).as("seed %d, batch %s", seed, step.targets().keySet()).isTrue();
      assertThat(restarted & batch).as("restarted twice, seed %d", seed).isZero();
      restarted |= batch;
    }
    assertThat(restarted).as("servers that may be restarted, seed %d", seed).isEqualTo(candidates);
    if (forecast.next() instanceof Plan.Act act) {
      int batch = act.targets().keySet().stream().mapToInt(id -> 1 << id).sum();
      assertThat(small.safe(batch)).as("next batch, seed %d", seed).isTrue();
    }
    return forecast.steps().size() - fewest(small, candidates);
  }

  /** Tries every way to split the candidates. */
  private static int fewest(Small small, int candidates) {
    boolean[] safe = new boolean[1 << small.servers()];
    for (int mask = 1; mask < safe.length; mask++) {
      safe[mask] = (mask & ~candidates) == 0 && small.safe(mask);
    }
    int[] fewest = new int[safe.length];
    for (int mask = 1; mask < safe.length; mask++) {
      fewest[mask] = SERVERS_MAX + 1;
      for (int part = mask; part != 0; part = (part - 1) & mask) {
        if (safe[part]) {
          fewest[mask] = Math.min(fewest[mask], 1 + fewest[mask & ~part]);
        }
      }
    }
    return fewest[candidates];
  }

  private static Small small(SplittableRandom chance) {
    int servers = 3 + chance.nextInt(SERVERS_MAX - 2);
    SimCluster cluster = SimCluster.of();
    for (int id = 0; id < servers; id++) {
      cluster.brokers(id);
    }
    cluster.allOutdated();
    Set<Integer> down = new TreeSet<>();
    if (chance.nextInt(4) == 0) {
      int id = chance.nextInt(servers);
      down.add(id);
      // Up to date, so that it is not part of the roll; absent in every sum all the same.
      cluster.notRunning("it crashes", id).current(id);
    }
    List<Dumb> partitions = new ArrayList<>();
    int count = 1 + chance.nextInt(4 * servers);
    for (int i = 0; i < count; i++) {
      int replication = 1 + chance.nextInt(Math.min(5, servers));
      int[] replicas = distinct(chance, servers, replication);
      int minimum = 1 + chance.nextInt(Math.max(1, replication));
      int[] inSync =
          chance.nextInt(12) == 0
              ? Arrays.copyOf(replicas, 1 + chance.nextInt(replication))
              : replicas;
      cluster.topic("t" + i, minimum, replicas, inSync);
      partitions.add(new Dumb(set(replicas), set(inSync), minimum));
    }
    return new Small(cluster, servers, down, partitions);
  }

  private static int[] distinct(SplittableRandom chance, int bound, int count) {
    int[] all = new int[bound];
    Arrays.setAll(all, i -> i);
    for (int i = 0; i < count; i++) {
      int other = i + chance.nextInt(bound - i);
      int kept = all[i];
      all[i] = all[other];
      all[other] = kept;
    }
    return Arrays.copyOf(all, count);
  }

  private static Set<Integer> set(int[] ids) {
    Set<Integer> set = new TreeSet<>();
    for (int id : ids) {
      set.add(id);
    }
    return set;
  }
}
