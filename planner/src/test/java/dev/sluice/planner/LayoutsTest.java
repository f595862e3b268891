package dev.sluice.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.Forecast.Limiting;
import dev.sluice.planner.Forecast.Step;
import dev.sluice.planner.reading.Partitions;
import dev.sluice.planner.reading.View;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many batches layouts of the size of real clusters need: 100 servers, 100,000 partitions. */
class LayoutsTest {

  private static final int SERVERS = 100;
  private static final int PARTITIONS = 100_000;
  private static final Policy PARALLEL = Policy.DEFAULT.withMaxParallel(SERVERS);

  @ParameterizedTest
  @CsvSource({"3, 3, 2, 3", "6, 3, 2, 6", "4, 4, 2, 2"})
  void rack_aware_layouts_need_as_few_batches_as_is_possible_without_reading_racks(
      int racks, int replication, int minimum, int batches) {
    Layouts layouts = new Layouts(SERVERS, 1);
    Forecast forecast =
        forecast(layouts, layouts.rackAware(PARTITIONS, racks, replication, minimum, 0));
    assertThat(forecast.steps()).hasSize(batches);
    assertThat(restarted(forecast)).hasSize(SERVERS);
  }

  @Test
  void a_random_layout_with_slack_for_two_needs_at_most_24_batches() {
    Layouts layouts = new Layouts(SERVERS, 1);
    Forecast forecast = forecast(layouts, layouts.random(PARTITIONS, 3, 1));
    System.out.println("random, RF 3, minimum 1: " + forecast.steps().size() + " batches");
    assertThat(forecast.steps().size()).isLessThanOrEqualTo(24);
    assertThat(restarted(forecast)).hasSize(SERVERS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void a_few_partitions_placed_by_hand_cost_little_and_are_named(long seed) {
    int unaware = PARTITIONS / 10_000;
    Layouts layouts = new Layouts(SERVERS, seed);
    Partitions partitions = layouts.rackAware(PARTITIONS - unaware, 3, 3, 2, unaware);
    Forecast forecast = forecast(layouts, partitions);
    int possible = fewestPossible(partitions);
    System.out.printf(
        "3 racks, 0.01 %% by hand: %d batches, %d are possible%n",
        forecast.steps().size(), possible);
    assertThat(forecast.steps().size()).isEqualTo(possible).isLessThanOrEqualTo(8);
    List<Limiting> nearMisses =
        forecast.steps().stream()
            .flatMap(step -> step.limiting().stream())
            .filter(limiting -> limiting.partitions() <= unaware)
            .toList();
    assertThat(nearMisses).isNotEmpty();
    assertThat(nearMisses)
        .allSatisfy(
            limiting -> assertThat(limiting.topics()).containsOnlyKeys(Layouts.UNAWARE_TOPIC));
    assertThat(nearMisses.getFirst().sentence()).contains(Layouts.UNAWARE_TOPIC + " {");
  }

  @Tag("acceptance")
  @Test
  void a_thousand_servers_with_a_million_partitions_are_planned_within_a_second_and_32_mebibytes() {
    Layouts layouts = new Layouts(1_000, 1);
    long before = used();
    Partitions partitions = layouts.rackAware(1_000_000, 3, 3, 2, 0);
    long retained = used() - before;
    View view = layouts.view(partitions);
    Policy policy = Policy.DEFAULT.withMaxParallel(1_000);
    Planner.next(view, Memory.EMPTY, policy); // once, for the compiler
    long start = System.nanoTime();
    Plan next = Planner.next(view, Memory.EMPTY, policy);
    long planned = System.nanoTime();
    Forecast forecast = Planner.forecast(view, Memory.EMPTY, policy);
    long forecasted = System.nanoTime();
    System.out.printf(
        "1,000 servers, 1,000,000 partitions: %d bytes (%d retained), next batch of %d in %d ms, forecast of %d batches in %d ms%n",
        partitions.bytes(),
        retained,
        ((Plan.Act) next).targets().size(),
        (planned - start) / 1_000_000,
        forecast.steps().size(),
        (forecasted - planned) / 1_000_000);
    assertThat(partitions.bytes()).isLessThanOrEqualTo(16L * 1_000_000);
    assertThat(retained).isLessThan(32L << 20);
    assertThat(forecasted - start).isLessThan(1_000_000_000L);
    assertThat(partitions.count()).isEqualTo(1_000_000);
  }

  private static Forecast forecast(Layouts layouts, Partitions partitions) {
    return Planner.forecast(layouts.view(partitions), Memory.EMPTY, PARALLEL);
  }

  /** A rack is one batch; two when a partition has two replicas in it; three when it has three. */
  private static int fewestPossible(Partitions partitions) {
    int[] batches = {1, 1, 1};
    partitions.forEach(
        partition -> {
          int[] inRack = new int[3];
          for (int i = 0; i < partition.size(); i++) {
            int rack = partition.replica(i) % 3;
            batches[rack] = Math.max(batches[rack], ++inRack[rack]);
          }
        });
    return batches[0] + batches[1] + batches[2];
  }

  private static Set<Integer> restarted(Forecast forecast) {
    Set<Integer> restarted = new TreeSet<>();
    for (Step step : forecast.steps()) {
      restarted.addAll(step.targets().keySet());
    }
    return restarted;
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
