package dev.sluice.lifecycle.reload;

import static dev.sluice.lifecycle.reload.Plans.DRAINED;
import static dev.sluice.lifecycle.reload.Plans.DRAINING;
import static dev.sluice.lifecycle.reload.Plans.FAILED;
import static dev.sluice.lifecycle.reload.Plans.INITIALIZING;
import static dev.sluice.lifecycle.reload.Plans.REMOVED;
import static dev.sluice.lifecycle.reload.Plans.SERVING;
import static dev.sluice.lifecycle.reload.Plans.blueprint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.reload.ClusterChange.Added;
import dev.sluice.lifecycle.reload.ClusterChange.Changed;
import dev.sluice.lifecycle.reload.ClusterChange.Removed;
import dev.sluice.lifecycle.reload.ClusterChange.Unchanged;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What kind of change each cluster is in for. */
class ComparisonTest {

  private static final Blueprint NOW = blueprint("few", "east:9092", 9192);
  private static final Blueprint OTHER_LIMITS = blueprint("many", "east:9092", 9192);
  private static final Blueprint ELSEWHERE = blueprint("few", "east:9092", 9392);
  private static final Blueprint THIRD = blueprint("few", "east:9092", 9592);

  @Test
  void what_serves_as_configured_is_unchanged() {
    assertThat(changeOf(SERVING, NOW)).isEqualTo(new Unchanged("orders"));
  }

  @Test
  void what_serves_another_configuration_is_changed_in_just_these_aspects() {
    assertThat(changeOf(SERVING, OTHER_LIMITS))
        .isEqualTo(new Changed("orders", Set.of(Aspect.LIMITS), true, new TreeSet<>()));
  }

  @Test
  void what_failed_with_the_same_configuration_is_retried() {
    assertThat(changeOf(FAILED, NOW)).isEqualTo(Plans.retried("orders"));
  }

  @Test
  void what_failed_with_another_configuration_is_changed_and_serves_nobody_meanwhile() {
    assertThat(changeOf(FAILED, OTHER_LIMITS))
        .isEqualTo(new Changed("orders", Set.of(Aspect.LIMITS), false, new TreeSet<>()));
  }

  @Test
  void what_is_being_set_up_as_configured_is_left_alone() {
    assertThat(changeOf(INITIALIZING, NOW)).isEqualTo(new Unchanged("orders"));
  }

  @Test
  void what_a_person_drained_stays_so_until_its_own_entry_changes() {
    assertThat(changeOf(DRAINED, NOW)).isEqualTo(new Unchanged("orders"));
    assertThat(changeOf(DRAINING, NOW)).isEqualTo(new Unchanged("orders"));
    assertThat(changeOf(DRAINED, OTHER_LIMITS))
        .isEqualTo(new Added("orders", new TreeSet<>(), Optional.empty()));
  }

  @Test
  void a_name_that_was_removed_begins_anew() {
    assertThat(changeOf(REMOVED, NOW)).isInstanceOf(Added.class);
  }

  @Test
  void what_was_removed_before_is_not_removed_again() {
    assertThat(Comparison.of(List.of(new Present("orders", REMOVED, NOW)), new TreeMap<>()))
        .isEqualTo(Plans.plan());
  }

  @Test
  void a_new_name_with_the_target_and_gateways_of_a_removed_one_is_a_rename_and_said() {
    var plan =
        Comparison.of(
            List.of(new Present("orders", SERVING, NOW)),
            new TreeMap<>(Map.of("bestellungen", OTHER_LIMITS)));

    assertThat(plan.changes())
        .containsExactly(Plans.renamed("orders", "bestellungen"), new Removed("orders"));
    assertThat(plan.warnings()).singleElement().asString().contains("orders", "bestellungen");
  }

  @Test
  void a_new_name_elsewhere_is_no_rename() {
    var plan =
        Comparison.of(
            List.of(new Present("orders", SERVING, NOW)),
            new TreeMap<>(Map.of("bestellungen", ELSEWHERE)));

    assertThat(plan.changes()).containsExactly(Plans.added("bestellungen"), new Removed("orders"));
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  void who_moves_to_ports_of_a_removed_one_waits_until_it_is_gone() {
    var plan =
        Comparison.of(
            List.of(
                new Present("orders", SERVING, NOW), new Present("payments", SERVING, ELSEWHERE)),
            new TreeMap<>(Map.of("payments", NOW)));

    assertThat(plan.changes())
        .containsExactly(new Removed("orders"), Plans.changedAfter("payments", "orders"));
  }

  @Test
  void who_moves_to_a_port_that_another_moves_from_waits_until_it_has() {
    var plan =
        Comparison.of(
            List.of(
                new Present("orders", SERVING, NOW), new Present("payments", SERVING, ELSEWHERE)),
            new TreeMap<>(Map.of("orders", THIRD, "payments", NOW)));

    assertThat(plan.changes())
        .containsExactly(
            Plans.changed("orders", Aspect.GATEWAYS), Plans.changedAfter("payments", "orders"));
    assertThat(plan.obstacle()).isEmpty();
  }

  @Test
  void who_had_failed_holds_no_port_that_another_would_wait_for() {
    var plan =
        Comparison.of(
            List.of(
                new Present("orders", FAILED, NOW), new Present("payments", SERVING, ELSEWHERE)),
            new TreeMap<>(Map.of("orders", ELSEWHERE, "payments", NOW)));

    assertThat(plan.changes().getLast().waitsFor()).isEmpty();
    assertThat(plan.obstacle()).isEmpty();
  }

  @Test
  void who_keeps_a_port_waits_for_nobody_who_leaves_it_at_another_address() {
    var here = at("10.0.0.1", 9192, "few");
    var there = at("10.0.0.2", 9192, "few");
    var plan =
        Comparison.of(
            List.of(new Present("orders", SERVING, here), new Present("payments", SERVING, there)),
            new TreeMap<>(Map.of("payments", at("10.0.0.2", 9192, "many"))));

    assertThat(plan.changes().getFirst()).isEqualTo(new Removed("orders"));
    assertThat(plan.changes().getLast().waitsFor()).isEmpty();
  }

  @Test
  void who_wants_a_port_at_all_addresses_waits_for_whoever_leaves_it_at_one() {
    var here = at("10.0.0.1", 9192, "few");
    var there = at("10.0.0.2", 9192, "few");
    var plan =
        Comparison.of(
            List.of(new Present("orders", SERVING, here), new Present("payments", SERVING, there)),
            new TreeMap<>(Map.of("payments", at("", 9192, "few"))));

    assertThat(plan.changes().getLast().waitsFor()).containsExactly("orders");
  }

  @Test
  void who_exchange_ports_cannot_do_so_at_once_and_both_are_named() {
    var plan =
        Comparison.of(
            List.of(
                new Present("audit", SERVING, THIRD),
                new Present("orders", SERVING, NOW),
                new Present("payments", SERVING, ELSEWHERE)),
            new TreeMap<>(Map.of("audit", NOW, "orders", ELSEWHERE, "payments", NOW)));

    assertThat(plan.obstacle())
        .hasValueSatisfying(
            why -> assertThat(why).contains("orders, payments exchange").doesNotContain("audit"));
  }

  private static Blueprint at(String address, int port, String limits) {
    return new Blueprint(
        Map.of(Aspect.LIMITS, limits, Aspect.GATEWAYS, address + ":" + port),
        new TreeSet<>(Set.of(new Place(address, port))));
  }

  @Test
  void only_those_that_change_are_affected() {
    var plan =
        Comparison.of(
            List.of(
                new Present("orders", SERVING, NOW), new Present("payments", SERVING, ELSEWHERE)),
            new TreeMap<>(Map.of("orders", OTHER_LIMITS, "payments", ELSEWHERE)));

    assertThat(plan.affected()).extracting(ClusterChange::name).containsExactly("orders");
  }

  private static ClusterChange changeOf(ClusterState state, Blueprint asked) {
    var present = List.of(new Present("orders", state, NOW));
    return Comparison.of(present, new TreeMap<>(Map.of("orders", asked))).changes().getFirst();
  }
}
