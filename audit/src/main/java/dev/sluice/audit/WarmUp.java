package dev.sluice.audit;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Clients come aboard one after the other at a low rate, and the rate is raised in steps, each when
 * all keep up with the one before. Two dozen clients that begin at once are an event of their own:
 * on two cores and servers that have just started, requests time out.
 */
final class WarmUp {

  /**
   * How long it waits.
   *
   * @param boarding for the first progress of one client before the next comes aboard
   * @param step for all to keep up with a rate
   * @param calm how long all must have kept up
   * @param whole for all of it
   */
  record Bounds(Duration boarding, Duration step, Duration calm, Duration whole) {

    static Bounds within(Duration whole) {
      return new Bounds(
          Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(1), whole);
    }
  }

  /** What the full rate is divided by while clients come aboard. */
  private static final int ABOARD = 10;

  /** What it is divided by in each step after that. */
  private static final List<Integer> STEPS = List.of(4, 2, 1);

  private final List<Berth> berths;
  private final Aboard aboard;
  private final int fullRate;
  private final Bounds bounds;
  private final long endNanos;
  private final Consumer<String> told;

  /**
   * @param berths in the order in which they come aboard: a producer before who reads from it
   * @param told is given a line for every step
   */
  WarmUp(List<Berth> berths, Aboard aboard, Load load, Bounds bounds, Consumer<String> told) {
    this.berths = berths;
    this.aboard = aboard;
    fullRate = load.recordsPerSecond();
    this.told = told;
    this.bounds = bounds;
    endNanos = System.nanoTime() + bounds.whole().toNanos();
  }

  /** The rate at which clients come aboard. */
  static int firstRate(int fullRate) {
    return rate(fullRate, ABOARD);
  }

  /**
   * Warms up.
   *
   * @return clients that made no progress at all
   */
  List<String> run() throws InterruptedException {
    board();
    await(bounds.step(), () -> cold().isEmpty());
    raise();
    return cold();
  }

  /**
   * Goes up to the full rate, or back to the last one that was carried: an audit of what is
   * overloaded tells of the load and of nothing else.
   */
  private void raise() throws InterruptedException {
    int carried = firstRate(fullRate);
    for (int divisor : STEPS) {
      int next = rate(fullRate, divisor);
      boolean carriedToo = step(next) || overtaxed(next).isEmpty();
      if (!carriedToo) {
        told.accept("back to %d, since %d is not carried here".formatted(carried, next));
        step(carried);
        return;
      }
      carried = next;
    }
  }

  private void board() throws InterruptedException {
    int number = 0;
    for (Berth berth : berths) {
      aboard.board(berth);
      boolean moves = await(bounds.boarding(), () -> berth.book().noticed().hasProgressed());
      told.accept(
          "%d of %d aboard: %s%s"
              .formatted(
                  ++number,
                  berths.size(),
                  berth.book().client(),
                  moves ? "" : ", without progress yet"));
    }
  }

  /** Returns whether all kept up for a while. */
  private boolean step(int rate) throws InterruptedException {
    aboard.keepTo(rate);
    boolean calm = await(bounds.step(), calm(rate));
    List<String> behind = behind(rate);
    String found =
        behind.isEmpty() ? "kept up with too briefly" : "behind are " + String.join(", ", behind);
    told.accept("%d records a second each: %s".formatted(rate, calm ? "all keep up" : found));
    return calm;
  }

  /** Nobody is further behind than what a second brings, for a while. */
  private BooleanSupplier calm(int rate) {
    return new BooleanSupplier() {
      private long since = System.nanoTime();

      @Override
      public boolean getAsBoolean() {
        long now = System.nanoTime();
        if (!behind(rate).isEmpty()) {
          since = now;
        }
        return now - since >= bounds.calm().toNanos();
      }
    };
  }

  /** Clients that made no progress so far. */
  private List<String> cold() {
    return named(book -> !book.noticed().hasProgressed());
  }

  /** Clients that move but do not keep up; who never moved would not at any rate. */
  private List<String> overtaxed(int rate) {
    return named(book -> book.noticed().hasProgressed() && book.behind() > rate);
  }

  /** Clients that are further behind their producer than this many records. */
  private List<String> behind(int records) {
    return named(book -> book.behind() > records);
  }

  private List<String> named(Predicate<Book> which) {
    return berths.stream().map(Berth::book).filter(which).map(Book::client).toList();
  }

  private boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
    var left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    return Patience.await(limit.compareTo(left) < 0 ? limit : left, condition);
  }

  private static int rate(int fullRate, int divisor) {
    return Math.max(1, fullRate / divisor);
  }
}
