package dev.sluice.lifecycle.quiet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.quiet.Link.ClientKey;
import dev.sluice.lifecycle.quiet.TourEvent.ConnectionClosed;
import dev.sluice.lifecycle.quiet.TourEvent.Joined;
import dev.sluice.lifecycle.quiet.TourEvent.MarkBySooner;
import dev.sluice.lifecycle.quiet.TourEvent.ReturnAnswered;
import dev.sluice.lifecycle.quiet.TourEvent.TimerRang;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One client's connections are marked node by node, and all of them in time. */
class StaggerTest {

  private static final long MILLI = Duration.ofMillis(1).toNanos();
  private static final long MARK_BY = 7_600 * MILLI;
  private static final Pacing PACING = new Pacing(MARK_BY, Bounds.RECONNECT_WAIT.toNanos());
  private static final ClientKey CLIENT = new ClientKey("orders", "10.0.0.1");
  private static final List<Link> THREE_NODES =
      List.of(link(12, 3), link(11, 1), link(10, 1), link(13, 2));

  private Stagger.Step step = Stagger.begin(0, THREE_NODES, PACING, 42).getFirst();

  @Test
  void all_connections_to_the_first_node_are_marked_at_once() {
    assertThat(step.marks()).containsExactly(10L, 11L);
  }

  @Test
  void the_next_node_comes_when_the_client_is_back_at_the_first_and_was_answered() {
    tell(new ConnectionClosed(100 * MILLI, 10));
    tell(new ConnectionClosed(110 * MILLI, 11));
    assertThat(step.marks()).isEmpty();
    tell(new ReturnAnswered(120 * MILLI, 1));
    assertThat(step.marks()).isEmpty();
    settles(120);
    assertThat(step.marks()).containsExactly(13L);
    assertThat(step.tour().waitsRanOut()).isZero();
  }

  @Test
  void a_client_that_is_back_before_its_last_connection_closed_counts() {
    tell(new ConnectionClosed(100 * MILLI, 10));
    tell(new ReturnAnswered(105 * MILLI, 1));
    assertThat(step.marks()).isEmpty();
    tell(new ConnectionClosed(110 * MILLI, 11));
    assertThat(step.marks()).isEmpty();
    settles(110);
    assertThat(step.marks()).containsExactly(13L);
  }

  @Test
  void a_return_to_another_node_does_not_count() {
    tell(new ConnectionClosed(100 * MILLI, 10));
    tell(new ConnectionClosed(110 * MILLI, 11));
    tell(new ReturnAnswered(120 * MILLI, 2));
    assertThat(step.marks()).isEmpty();
  }

  @Test
  void a_client_that_does_not_come_back_is_waited_for_as_long_as_configured() {
    tell(new ConnectionClosed(100 * MILLI, 10));
    tell(new ConnectionClosed(100 * MILLI, 11));
    assertThat(step.ringAt()).hasValue(250 * MILLI);
    tell(new TimerRang(249 * MILLI));
    assertThat(step.marks()).isEmpty();
    tell(new TimerRang(250 * MILLI));
    assertThat(step.marks()).containsExactly(13L);
    assertThat(step.tour().waitsRanOut()).isEqualTo(1);
  }

  @Test
  void a_node_whose_connections_do_not_close_gets_its_share_of_the_time() {
    assertThat(step.ringAt()).hasValue(MARK_BY / 3);
    tell(new TimerRang(MARK_BY / 3));
    assertThat(step.marks()).containsExactly(13L);
    tell(new TimerRang(2 * MARK_BY / 3 + 1));
    assertThat(step.marks()).containsExactly(12L);
    assertThat(step.tour().isDone()).isTrue();
  }

  @Test
  void a_connection_that_closes_by_itself_is_not_marked() {
    tell(new ConnectionClosed(1, 13));
    tell(new ConnectionClosed(100 * MILLI, 10));
    tell(new ConnectionClosed(100 * MILLI, 11));
    tell(new ReturnAnswered(101 * MILLI, 1));
    settles(101);
    assertThat(step.marks()).containsExactly(12L);
  }

  @Test
  void nobody_comes_back_to_a_bootstrap_address() {
    step = Stagger.begin(0, List.of(link(1, Link.BOOTSTRAP), link(2, 1)), PACING, 42).getFirst();
    assertThat(step.marks()).containsExactly(1L);
    tell(new ConnectionClosed(100 * MILLI, 1));
    assertThat(step.marks()).containsExactly(2L);
  }

  @Test
  void who_joins_is_marked_in_the_order_of_nodes() {
    tell(new Joined(50 * MILLI, link(14, 2)));
    assertThat(step.marks()).isEmpty();
    tell(new ConnectionClosed(100 * MILLI, 10));
    tell(new ConnectionClosed(100 * MILLI, 11));
    tell(new ReturnAnswered(101 * MILLI, 1));
    settles(101);
    assertThat(step.marks()).containsExactly(13L, 14L);
  }

  @Test
  void who_joins_when_all_are_marked_waits_until_the_client_may_be_back() {
    step = Stagger.begin(0, List.of(link(1, 1)), PACING, 42).getFirst();
    assertThat(step.tour().isDone()).isTrue();
    tell(new Joined(100 * MILLI, link(2, 2)));
    assertThat(step.marks()).isEmpty();
    assertThat(step.ringAt()).hasValue(250 * MILLI);
    tell(new Joined(110 * MILLI, link(3, 3)));
    tell(new TimerRang(250 * MILLI));
    assertThat(step.marks()).containsExactly(2L);
    tell(new ConnectionClosed(260 * MILLI, 2));
    tell(new ReturnAnswered(270 * MILLI, 2));
    settles(270);
    assertThat(step.marks()).containsExactly(3L);
    assertThat(step.tour().isDone()).isTrue();
  }

  @Test
  void when_there_is_no_time_left_all_are_marked() {
    tell(new MarkBySooner(5 * MILLI, 4 * MILLI));
    assertThat(step.marks()).containsExactly(13L, 12L);
    assertThat(step.tour().isDone()).isTrue();
  }

  @Test
  void clients_begin_apart_but_all_within_a_second() {
    var steps = Stagger.begin(0, clients(10_000, 1), PACING, 42);
    var begins = new HashSet<Long>();
    for (var each : steps) {
      each.ringAt().ifPresent(begins::add);
    }
    assertThat(begins.size()).isGreaterThan(9_000);
    assertThat(begins).allMatch(at -> at <= Stagger.MAX_SPREAD.toNanos());
  }

  @Test
  void the_same_chance_gives_the_same_tours() {
    assertThat(Stagger.begin(0, clients(50, 3), PACING, 7))
        .isEqualTo(Stagger.begin(0, clients(50, 3).reversed(), PACING, 7));
  }

  @Test
  void ten_thousand_clients_of_one_connection_are_marked_within_a_second() {
    assertThat(lastMark(clients(10_000, 1), new SplittableRandom(1), true))
        .isLessThan(1_000 * MILLI);
  }

  @Test
  void whatever_clients_do_every_connection_is_marked_once_and_in_time() {
    for (long seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      var links = clients(1 + random.nextInt(20), 1 + random.nextInt(6));
      assertThat(lastMark(links, random, random.nextBoolean()))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(MARK_BY);
    }
  }

  private record Due(long at, int tour, TourEvent event) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return Long.compare(at, other.at);
    }
  }

  /** Plays all tours; courteous clients close and come back, others mostly do not. */
  private static long lastMark(List<Link> links, SplittableRandom random, boolean courteous) {
    var steps = new ArrayList<>(Stagger.begin(0, links, PACING, random.nextLong()));
    var due = new PriorityQueue<Due>();
    var marked = new HashSet<Long>();
    long last = 0;
    for (int tour = 0; tour < steps.size(); tour++) {
      follow(steps.get(tour), tour, 0, marked, due, random, courteous);
    }
    while (!due.isEmpty()) {
      var next = due.remove();
      var step = Stagger.on(steps.get(next.tour()).tour(), next.event());
      steps.set(next.tour(), step);
      if (follow(step, next.tour(), next.at(), marked, due, random, courteous)) {
        last = next.at();
      }
    }
    assertThat(marked).hasSize(links.size());
    assertThat(steps).allMatch(each -> each.tour().isDone());
    return last;
  }

  private static boolean follow(
      Stagger.Step step,
      int tour,
      long at,
      Set<Long> marked,
      Queue<Due> due,
      SplittableRandom random,
      boolean courteous) {
    step.ringAt().ifPresent(ring -> due.add(new Due(ring, tour, new TimerRang(ring))));
    for (long connection : step.marks()) {
      assertThat(marked.add(connection)).as("%d is marked once", connection).isTrue();
      if (courteous || random.nextInt(3) > 0) {
        long closes = at + random.nextInt(700) * MILLI;
        due.add(new Due(closes, tour, new ConnectionClosed(closes, connection)));
        long returns = closes + random.nextInt(300) * MILLI;
        int node = (int) (connection % 10);
        due.add(new Due(returns, tour, new ReturnAnswered(returns, node)));
      }
    }
    return !step.marks().isEmpty();
  }

  private static List<Link> clients(int count, int nodes) {
    var links = new ArrayList<Link>();
    for (int client = 0; client < count; client++) {
      for (int node = 0; node < nodes; node++) {
        links.add(new Link(client * 10L + node, new ClientKey("c" + client, "10.0.0.1"), node));
      }
    }
    return links;
  }

  private static Link link(long connection, int node) {
    return new Link(connection, CLIENT, node);
  }

  /** The moment that it has for taking notice passes. */
  private void settles(int since) {
    assertThat(step.ringAt()).hasValue(since * MILLI + Bounds.RETURN_SETTLES.toNanos());
    tell(new TimerRang(step.ringAt().getAsLong()));
  }

  private void tell(TourEvent event) {
    step = Stagger.on(step.tour(), event);
  }
}
