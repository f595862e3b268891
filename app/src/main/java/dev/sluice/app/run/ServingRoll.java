package dev.sluice.app.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.app.management.ServeHealth;
import dev.sluice.kubernetes.ConfigMapJournal;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.kubernetes.LeaseWatch;
import dev.sluice.kubernetes.RollLease;
import dev.sluice.planner.HaltMark;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rolls whenever there is need, for as long as it holds the lease; otherwise it waits for the
 * lease. A roll that halted is begun again when what halted it is over, or something else is
 * wanted. One thread runs it; any thread may stop it.
 */
public final class ServingRoll {

  private static final Logger LOG = LoggerFactory.getLogger(ServingRoll.class);

  private final RunningRoll running;
  private final KubernetesCluster pods;
  private final RollListener listener;
  private final ServeHealth health;
  private final Duration between;
  private final Semaphore woken = new Semaphore(0);
  private volatile LoopUnderWay loop = new LoopUnderWay();
  private volatile String whyStopped = "";
  private volatile boolean stopped;

  /**
   * @param between looks when nothing is to be done and nothing changes
   */
  public ServingRoll(
      RunningRoll running, RollListener listener, ServeHealth health, Duration between)
      throws IOException {
    this.running = running;
    this.pods = running.pods().orElseThrow(() -> noPods(running.platform()));
    this.listener = listener;
    this.health = health;
    this.between = between;
  }

  static IOException noPods(String found) {
    return new IOException(
        "Expected platform.kubernetes, whose lease says who acts, found "
            + found
            + "; use 'roll run'.");
  }

  /** Comes to an end after the batch under way. */
  public void stop(String why) {
    whyStopped = why;
    stopped = true;
    loop.stop(why);
    woken.release();
  }

  /** The first signal stops it, the second ends the process at once. */
  public void obeySignals() {
    Signals.onFirst(name -> stop("the process received " + name));
  }

  /** Until it is stopped. */
  public void run() throws InterruptedException {
    try (var _ = pods.watch(woken::release)) {
      while (!stopped) {
        try (var lease = lease()) {
          pods.actUnder(lease);
          whileHeld(lease);
        } catch (IOException e) {
          failed(e);
          pause(LeaseWatch.BETWEEN_ATTEMPTS);
        }
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("expected the watch to end, found that it failed", e);
    }
  }

  /** Waits for it; whoever holds it is not disturbed. */
  private RollLease lease() throws IOException, InterruptedException {
    var watch = pods.lease(running.clusterId(), RunningRoll.identity());
    while (!stopped) {
      try {
        var mine = new LoopUnderWay();
        var lease = watch.attempt(mine::stop);
        if (lease.isPresent()) {
          under(mine);
          return lease.get();
        }
      } catch (LeaseWatch.HeldException _) {
        // as long as it is renewed
      }
      health.standsBy("waits for the lease that " + watch.holder() + " holds");
      pause(LeaseWatch.BETWEEN_ATTEMPTS);
    }
    throw new IOException("stopped");
  }

  /** What is lost with an earlier lease stops nothing under this one. */
  private void under(LoopUnderWay mine) {
    loop = mine;
    if (stopped) {
      mine.stop(whyStopped);
    }
  }

  private void whileHeld(RollLease lease) throws InterruptedException {
    while (!stopped && lease.held()) {
      woken.drainPermits();
      try {
        running.refresh();
        cycle();
      } catch (IOException | UncheckedIOException e) {
        failed(e);
      }
      if (!stopped) {
        awaitChange();
      }
    }
  }

  private void cycle() throws IOException, InterruptedException {
    var refusal = pods.refusal();
    if (refusal.isPresent()) {
      health.acts("waits: " + refusal.get());
      return;
    }
    var journal = pods.journal(running.clusterId());
    var plan = running.next(listener);
    if (journal.halted()) {
      var mark = journal.mark().orElseGet(() -> markedNow(journal, plan));
      if (!mark.isOver(plan)) {
        health.acts("halted; waits until that is over, or something else is wanted");
        return;
      }
    }
    var unfinished = journal.unfinished();
    if (plan instanceof Plan.Done && (unfinished.isEmpty() || journal.halted())) {
      health.acts("nothing is to be done");
      return;
    }
    var wish =
        unfinished
            .filter(_ -> !journal.halted())
            .map(found -> wish(found.request().reason(), found.request().servers()))
            .orElseGet(() -> wish(Optional.empty(), Set.of()));
    health.acts("rolls");
    var outcome = running.roll(wish, listener, (_, _, _) -> {}, journal, loop);
    LOG.atInfo().addKeyValue("outcome", outcome.sentence()).log("A roll ended");
    health.acts(outcome.sentence());
    if (outcome instanceof Outcome.Halted halted) {
      journal.marked(HaltMark.of(halted.halt().why(), running.next(listener)));
    }
  }

  /** Who marked it ended before that; what is wanted now is what was wanted then, at best. */
  private static HaltMark markedNow(ConfigMapJournal journal, Plan now) {
    SortedMap<Integer, String> needs = new TreeMap<>(HaltMark.needs(now));
    var mark = new HaltMark(Optional.empty(), false, needs);
    journal.marked(mark);
    return mark;
  }

  private static RunningRoll.Wish wish(Optional<String> reason, Set<Integer> servers) {
    return new RunningRoll.Wish(reason, servers, Optional.empty(), Optional.empty(), false);
  }

  private void failed(Exception e) {
    var why = requireNonNull(String.valueOf(e.getMessage()));
    LOG.atWarn().addKeyValue("why", why).log("A look or a roll failed; it is tried again");
    health.failed(why);
  }

  private void awaitChange() throws InterruptedException {
    boolean _ = woken.tryAcquire(between.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void pause(Duration time) throws InterruptedException {
    if (!stopped) {
      Thread.sleep(time);
    }
  }
}
