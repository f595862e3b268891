package dev.sluice.proxy;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds out whom a departure still waits for, once it takes long: asks connections on their event
 * loops now and then. Belongs to the control thread, but what is said to be safe from elsewhere.
 */
final class Stragglers {

  /** How often it looks. */
  static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** A departure that takes longer is told of in the log, once. */
  static final Duration SLOW = Duration.ofSeconds(3);

  /** How many are named: those that have waited longest. */
  static final int MOST_NAMED = 5;

  /** How many connections are asked in one look. */
  static final int MOST_ASKED = 200;

  private static final Comparator<Straggler> LONGEST_FIRST =
      Comparator.comparing(Straggler::since).reversed();

  private final Supplier<Stream<ClientConnection>> left;
  private final EventExecutor control;
  private final Consumer<List<Straggler>> slow;
  private final long began = System.nanoTime();
  private final Future<?> timer;

  private int awaited;
  private boolean told;
  private volatile List<Straggler> named = List.of();

  /**
   * @param left who is still there; safe from the control thread
   * @param slow is told once, when it has taken longer than {@link #SLOW} and somebody is there
   */
  Stragglers(
      Supplier<Stream<ClientConnection>> left,
      EventExecutor control,
      Consumer<List<Straggler>> slow) {
    this.left = left;
    this.control = control;
    this.slow = slow;
    this.timer =
        control.scheduleAtFixedRate(
            this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** At most {@value #MOST_NAMED}, as of the last look. Safe from every thread. */
  List<Straggler> named() {
    return named;
  }

  void end() {
    timer.cancel(false);
  }

  /** An event loop that does not answer holds up the next look, and no more. */
  private void look() {
    if (awaited > 0) {
      return;
    }
    var asked = left.get().limit(MOST_ASKED).toList();
    var found = new ArrayList<Straggler>();
    awaited = asked.size();
    for (var connection : asked) {
      connection
          .client()
          .eventLoop()
          .execute(
              () -> {
                var straggler = connection.straggler(System.nanoTime());
                control.execute(() -> answered(found, straggler));
              });
    }
    if (asked.isEmpty()) {
      named = List.of();
    }
  }

  private void answered(List<Straggler> found, Straggler straggler) {
    found.add(straggler);
    awaited--;
    if (awaited == 0) {
      named = found.stream().sorted(LONGEST_FIRST).limit(MOST_NAMED).toList();
      if (!told && !timer.isCancelled() && System.nanoTime() - began >= SLOW.toNanos()) {
        told = true;
        slow.accept(named);
      }
    }
  }
}
