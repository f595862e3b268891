package dev.sluice.roller.cluster;

import dev.sluice.planner.reading.Fact;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Asks many at once, each on a virtual thread, all until one deadline. Who does not answer is
 * missing, and not asked again before the first question has ended, so that silence costs one
 * thread and not one a look.
 */
final class Gathering implements AutoCloseable {

  private static final int SAID_MAX_CHARACTERS = 300;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Future<?>> hanging = new ConcurrentHashMap<>();
  private final Clock clock;
  private final Duration limit;

  /**
   * @param limit of one observation
   */
  Gathering(Clock clock, Duration limit) {
    this.clock = clock;
    this.limit = limit;
  }

  /** A question that was asked; {@link #answer} is called once. */
  @FunctionalInterface
  interface Asked<T> {
    Fact<T> answer() throws InterruptedException;
  }

  /** When the observation that begins now has to be over, by {@link System#nanoTime}. */
  long deadline() {
    return System.nanoTime() + limit.toNanos();
  }

  /**
   * Asks.
   *
   * @param slot who is asked for what
   */
  <T> Asked<T> ask(String slot, long deadline, Callable<T> question) {
    Future<?> before = hanging.get(slot);
    if (before != null && !before.isDone()) {
      return () -> Fact.missing("it has not yet answered what it was asked before");
    }
    AtomicReference<Instant> at = new AtomicReference<>(clock.instant());
    Future<T> future = threads.submit(question);
    hanging.put(slot, future);
    return () -> answer(slot, deadline, future, at.get());
  }

  private <T> Fact<T> answer(String slot, long deadline, Future<T> future, Instant at)
      throws InterruptedException {
    try {
      T value = future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      hanging.remove(slot, future);
      return Fact.known(value, at);
    } catch (TimeoutException _) {
      future.cancel(true);
      return Fact.missing("no answer within " + limit.toSeconds() + "s");
    } catch (ExecutionException e) {
      hanging.remove(slot, future);
      return Fact.missing(said(e.getCause() == null ? e : e.getCause()));
    }
  }

  /** The innermost reason, in one line of bounded length. */
  static String said(Throwable failure) {
    Throwable reason = failure;
    while ((reason instanceof ExecutionException
            || reason instanceof java.util.concurrent.CompletionException)
        && reason.getCause() != null) {
      reason = reason.getCause();
    }
    String message = String.valueOf(reason.getMessage()).strip().replace('\n', ' ');
    String said =
        message.isBlank() || message.equals("null") ? reason.getClass().getSimpleName() : message;
    return said.substring(0, Math.min(SAID_MAX_CHARACTERS, said.length()));
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
