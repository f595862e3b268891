package dev.sluice.planner.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The compact form loses nothing and keeps to its bounds. */
class PartitionsTest {

  @Test
  void what_was_put_in_comes_out_again() {
    SplittableRandom chance = new SplittableRandom(1);
    Partitions.Builder builder = Partitions.builder();
    List<String> expected = new ArrayList<>();
    for (int topic = 0; topic < 300; topic++) {
      int minimum = chance.nextInt(1, 4);
      builder.topic("t" + topic, minimum);
      int number = 0;
      for (int i = chance.nextInt(20); i > 0; i--) {
        number += chance.nextInt(5) == 0 ? 7 : 1; // numbers may have gaps
        int[] replicas =
            chance.ints(0, 1_000_000).distinct().limit(chance.nextInt(1, 20)).toArray();
        int[] inSync = Arrays.copyOf(replicas, chance.nextInt(replicas.length + 1));
        builder.partition(number, replicas, inSync);
        expected.add(line("t" + topic, number, minimum, replicas, inSync));
      }
    }
    List<String> found = new ArrayList<>();
    Partitions partitions = builder.build();
    partitions.forEach(
        each ->
            found.add(
                line(
                    each.topic(),
                    each.number(),
                    each.minimum(),
                    ints(each.replicas()),
                    ints(each.inSync()))));
    assertThat(found).isEqualTo(expected);
    assertThat(partitions.count()).isEqualTo(expected.size());
  }

  @Test
  void a_partition_of_up_to_six_replicas_takes_at_most_16_bytes() {
    for (int replication = 1; replication <= 6; replication++) {
      int[] replicas = new int[replication];
      Arrays.setAll(replicas, i -> i);
      Partitions one = Partitions.builder().topic("t", 1).partition(0, replicas, replicas).build();
      assertThat(one.bytes()).isLessThanOrEqualTo(16);
    }
  }

  @Test
  void eligible_leaders_are_those_that_are_out_of_sync() {
    Partitions one =
        Partitions.builder()
            .topic("t", 2)
            .partition(0, new int[] {4, 5, 6}, new int[] {4}, new int[] {4, 6})
            .build();
    one.forEach(
        each -> {
          assertThat(each.eligible(0)).isFalse();
          assertThat(each.eligible(1)).isFalse();
          assertThat(each.eligible(2)).isTrue();
        });
    assertThat(one.outOfSync(4)).isZero();
    assertThat(one.outOfSync(6)).isOne();
    assertThat(one.outOfSync(9)).isZero();
  }

  @Test
  void more_replicas_than_the_bound_are_refused_by_name() {
    Partitions.Builder builder = Partitions.builder().topic("wide", 1);
    assertThatThrownBy(() -> builder.partition(3, new int[128], new int[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("128 replicas in wide-3");
  }

  private static String line(String topic, int number, int minimum, int[] replicas, int[] inSync) {
    return topic
        + "-"
        + number
        + " "
        + minimum
        + Arrays.toString(replicas)
        + Arrays.toString(inSync);
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }
}
