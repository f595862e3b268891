package dev.sluice.lifecycle.doors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.reload.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which doors are open, and for how long one is that has been left. */
class DoorsTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant OVER = NOW.plus(Doors.LONGEST);
  private static final String LOCAL = "127.0.0.1";
  private static final String GATEWAY = "internal";
  private static final Doorway OLD = at(LOCAL, 1);
  private static final Doorway NEW = at(LOCAL, 2);

  // ---- named and not -------------------------------------------------------------------------

  @Test
  void a_door_is_opened_once_whoever_names_it() {
    var first = Doors.NONE.named(Set.of(OLD));
    var second = first.doors().named(Set.of(OLD));

    assertThat(first.opening()).containsExactly(OLD);
    assertThat(second.opening()).isEmpty();
  }

  @Test
  void a_door_that_another_generation_names_stays_as_it_is() {
    var turn = serving(OLD).named(Set.of(OLD)).doors().unnamed(Set.of(OLD), NOW);

    assertThat(turn.closing()).isEmpty();
    assertThat(turn.leaving()).isEmpty();
  }

  @Test
  void a_door_at_which_nobody_ever_was_admitted_does_not_linger() {
    var turn = serving(OLD).named(Set.of(NEW)).doors().unnamed(Set.of(NEW), NOW);

    assertThat(turn.closing()).containsExactly(NEW);
  }

  @Test
  void when_nobody_names_any_all_are_closed() {
    assertThat(moved().unnamed(Set.of(NEW), NOW).closing()).containsExactly(OLD, NEW);
  }

  @Test
  void who_shuts_closes_all_of_them_and_what_is_let_go_of_later_is_closed_already() {
    var shut = moved().shut();

    assertThat(shut.closing()).containsExactly(OLD, NEW);
    assertThat(shut.doors().unnamed(Set.of(NEW), NOW).closing()).isEmpty();
  }

  // ---- lingering -----------------------------------------------------------------------------

  @Test
  void a_door_that_clients_know_lingers_when_it_is_left() {
    var turn = movingTo(NEW).unnamed(Set.of(OLD), NOW);

    assertThat(turn.closing()).isEmpty();
    assertThat(turn.leaving()).containsExactly(OLD);
    assertThat(turn.doors().lingering()).containsEntry(OLD, OVER).hasSize(1);
  }

  @Test
  void it_is_closed_when_every_client_has_asked_for_metadata_again() {
    assertThat(moved().next()).hasValue(OVER);
    assertThat(moved().at(OVER.minusMillis(1)).closing()).isEmpty();

    var turn = moved().at(OVER);
    assertThat(turn.closing()).containsExactly(OLD);
    assertThat(turn.doors().next()).isEmpty();
  }

  @Test
  void a_further_move_makes_it_linger_no_longer() {
    var later = NOW.plusSeconds(60);
    var third = at(LOCAL, 3);
    var doors = moved().named(Set.of(third)).doors();
    doors = doors.admitted(gateway(third), later).doors().unnamed(Set.of(NEW), later).doors();

    assertThat(doors.lingering())
        .containsEntry(OLD, OVER)
        .containsEntry(NEW, later.plus(Doors.LONGEST));
  }

  @Test
  void one_that_is_named_again_and_given_up_lingers_as_long_as_before() {
    var named = moved().named(Set.of(OLD));
    assertThat(named.opening()).isEmpty();
    assertThat(named.doors().lingering()).isEmpty();

    var givenUp = named.doors().unnamed(Set.of(OLD), NOW.plusSeconds(5));
    assertThat(givenUp.doors().lingering()).containsEntry(OLD, OVER);
  }

  @Test
  void one_that_was_gone_back_to_lingers_anew_when_it_is_left_again() {
    var later = NOW.plusSeconds(60);
    var back = moved().named(Set.of(OLD)).doors().admitted(gateway(OLD), later).doors();
    back = back.unnamed(Set.of(NEW), later).doors();
    assertThat(back.lingering()).containsOnlyKeys(NEW);

    var again = back.named(Set.of(NEW)).doors().admitted(gateway(NEW), later).doors();
    assertThat(again.unnamed(Set.of(OLD), later).doors().lingering())
        .containsEntry(OLD, later.plus(Doors.LONGEST))
        .hasSize(1);
  }

  @Test
  void while_nobody_is_admitted_what_lingers_stays_and_nothing_begins_to() {
    var held = moved().named(Set.of(at(LOCAL, 3))).doors().held();

    assertThat(held.at(NOW).closing()).isEmpty();
    assertThat(held.unnamed(Set.of(NEW), NOW).closing()).containsExactly(NEW);
    assertThat(held.at(OVER).closing()).containsExactly(OLD);
  }

  @Test
  void when_too_many_linger_the_oldest_are_closed() {
    var first = new ArrayList<Doorway>();
    var second = new ArrayList<Doorway>();
    for (int port = 1; port <= Doors.MOST_LINGERING; port++) {
      first.add(at(LOCAL, port));
      second.add(at(LOCAL, 10_000 + port));
    }
    var last = at(LOCAL, 30_000);
    var doors = go(Doors.NONE, first, List.of(), NOW);
    doors = go(doors, second, first, NOW);
    assertThat(doors.lingering()).hasSize(Doors.MOST_LINGERING);

    doors = go(doors, List.of(last), second, NOW.plusSeconds(1));
    assertThat(doors.lingering()).containsOnlyKeys(second);
  }

  // ---- what does not linger ------------------------------------------------------------------

  @Test
  void a_gateway_that_is_taken_away_leaves_nothing_behind() {
    var doors = serving(OLD).named(Set.of(NEW)).doors();
    var turn = doors.admitted(new TreeMap<>(Map.of(NEW, "other")), NOW).doors();

    assertThat(turn.unnamed(Set.of(OLD), NOW).closing()).containsExactly(OLD);
  }

  @Test
  void an_address_that_is_given_up_is_not_lingered_at() {
    var everywhere = at("", 1);
    var turn = go(serving(everywhere), List.of(NEW), List.of(everywhere), NOW);

    assertThat(turn.standing()).containsOnlyKeys(NEW);
  }

  @Test
  void who_listens_everywhere_lingers_at_the_one_address_that_it_had() {
    assertThat(go(serving(OLD), List.of(at("", 2)), List.of(OLD), NOW).lingering())
        .containsOnlyKeys(OLD);
  }

  @Test
  void a_wider_door_at_the_same_port_does_not_linger_beside_a_narrower_one() {
    var wide = at("", 1);
    assertThat(go(serving(wide), List.of(OLD), List.of(wide), NOW).standing())
        .containsOnlyKeys(OLD);
  }

  @Test
  void a_narrower_door_stays_as_long_as_a_wider_one_at_its_port_and_does_not_linger() {
    var wide = at("", 1);
    var covered = go(serving(OLD), List.of(wide), List.of(OLD), NOW);
    assertThat(covered.standing()).containsOnlyKeys(wide, OLD);
    assertThat(covered.lingering()).isEmpty();

    assertThat(go(covered, List.of(at("", 2)), List.of(wide), NOW).lingering())
        .containsOnlyKeys(wide, OLD);
  }

  // ---- who else wants it ---------------------------------------------------------------------

  @Test
  void who_else_wants_a_place_gets_it() {
    assertThat(moved().wanted(Set.of(OLD.place()), NOW).closing()).containsExactly(OLD);
    assertThat(moved().wanted(Set.of(new Place("", 1)), NOW).closing()).containsExactly(OLD);
  }

  @Test
  void who_wants_what_is_named_does_not_get_it() {
    assertThat(moved().wanted(Set.of(NEW.place()), NOW).closing()).isEmpty();
    assertThat(moved().wanted(Set.of(new Place("127.0.0.2", 1)), NOW).closing()).isEmpty();
  }

  @Test
  void one_that_is_named_again_is_not_given_away() {
    var named = moved().named(Set.of(OLD)).doors();

    assertThat(named.wanted(Set.of(OLD.place()), NOW).closing()).isEmpty();
  }

  @Test
  void names_at_a_shared_place_linger_beside_others_and_are_not_in_their_way() {
    var place = new Place("", 443).asShared();
    var old = new Doorway(place, "old");
    var doors = go(serving(old), List.of(new Doorway(place, "new")), List.of(old), NOW);

    assertThat(doors.lingering()).containsOnlyKeys(old);
    assertThat(doors.wanted(Set.of(place), NOW).closing()).isEmpty();
    assertThat(doors.wanted(Set.of(new Place("", 443)), NOW).closing()).containsExactly(old);
  }

  @Test
  void who_shares_a_port_gets_it_from_its_own_door_that_does_not_and_the_other_way_round() {
    var shared = new Place(LOCAL, 1).asShared();
    var old = new Doorway(shared, "old");
    var left = go(serving(old), List.of(NEW), List.of(old), NOW);

    assertThat(moved().wantedByItself(Set.of(shared), NOW).closing()).containsExactly(OLD);
    assertThat(left.wantedByItself(Set.of(OLD.place()), NOW).closing()).containsExactly(old);
    assertThat(moved().wantedByItself(Set.of(OLD.place()), NOW).closing()).isEmpty();
    assertThat(left.wantedByItself(Set.of(shared), NOW).closing()).isEmpty();
  }

  // ---- what cannot be opened -----------------------------------------------------------------

  @Test
  void one_that_could_not_be_opened_is_tried_again_also_beside_a_wider_one() {
    var named = serving(at("", 1)).named(Set.of(OLD)).doors();
    var failed = named.failed(Set.of(OLD));

    assertThat(failed.closing()).containsExactly(OLD);
    assertThat(failed.doors().unnamed(Set.of(OLD), NOW).doors().standing())
        .containsOnlyKeys(at("", 1));
    assertThat(failed.doors().named(Set.of(OLD)).opening()).containsExactly(OLD);
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private static Doorway at(String address, int port) {
    return new Doorway(new Place(address, port));
  }

  private static SortedMap<Doorway, String> gateway(Doorway... doors) {
    var served = new TreeMap<Doorway, String>();
    List.of(doors).forEach(door -> served.put(door, GATEWAY));
    return served;
  }

  private static Doors serving(Doorway door) {
    return go(Doors.NONE, List.of(door), List.of(), NOW);
  }

  /** Another generation serves, and the former one still is there. */
  private static Doors movingTo(Doorway next) {
    return serving(OLD).named(Set.of(next)).doors().admitted(gateway(next), NOW).doors();
  }

  private static Doors moved() {
    return movingTo(NEW).unnamed(Set.of(OLD), NOW).doors();
  }

  /** A whole handover, from the one to the other. */
  private static Doors go(Doors doors, List<Doorway> next, List<Doorway> left, Instant now) {
    return doors
        .named(next)
        .doors()
        .admitted(gateway(next.toArray(Doorway[]::new)), now)
        .doors()
        .unnamed(left, now)
        .doors();
  }
}
