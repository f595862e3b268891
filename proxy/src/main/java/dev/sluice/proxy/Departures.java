package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState.Way;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drains and handovers of one virtual cluster, one at a time, and the report of the last one.
 * It is made when everything that was cut is counted. Belongs to the control thread, but what is
 * said to be safe from elsewhere.
 */
final class Departures {

  private static final Logger LOG = LoggerFactory.getLogger(Departures.class);

  private final String virtualCluster;
  private final Engine engine;
  private final ClusterMeters meters;

  /** Succeeds when all that was cut so far is counted, and all reports are made. */
  private Future<?> reported;

  private @Nullable Generation welcoming;
  private volatile @Nullable Departure running;
  private volatile @Nullable DrainReport last;

  Departures(String virtualCluster, Engine engine, ClusterMeters meters) {
    this.virtualCluster = virtualCluster;
    this.engine = engine;
    this.meters = meters;
    this.reported = engine.control().newSucceededFuture(null);
  }

  /** How far the running one has come. Safe from every thread. */
  Optional<DrainProgress> progress() {
    return Optional.ofNullable(running).map(Departure::progress);
  }

  /** What the last one came to. Safe from every thread. */
  Optional<DrainReport> last() {
    return Optional.ofNullable(last);
  }

  /**
   * Connections of these generations leave, from now on. One that is running goes on as part of it.
   *
   * @param whenQuiet is told when no connection is left
   */
  void begin(Departure.Leave leave, Instant deadline, Runnable whenQuiet) {
    report(running);
    var times = new Departure.Times(engine.clock().instant(), deadline);
    var ears = new Departure.Ears(whenQuiet, this::tellSlow);
    // Whoever looks from elsewhere sees the one or the other, and never none.
    running = new Departure(leave, times, engine.control(), ears);
  }

  private void tellSlow(List<Straggler> waitsFor) {
    var now = running;
    if (now != null) {
      var progress = now.progress();
      LOG.atInfo()
          .addKeyValue("virtualCluster", virtualCluster)
          .addKeyValue("way", progress.way())
          .addKeyValue("deadline", progress.deadline())
          .addKeyValue("connectionsLeft", progress.connectionsLeft())
          .log("Still waits for {}", Listed.of(waitsFor, progress.connectionsLeft()));
    }
  }

  /** Clients that come to this generation are who has left another one. */
  void welcomedBy(Generation next) {
    welcoming = next;
    next.connections().tellReturns(running);
  }

  /** The running one has to have ended sooner. */
  void tighten(Instant deadline) {
    var now = running;
    if (now != null) {
      now.tighten(new Departure.Times(engine.clock().instant(), deadline));
    }
  }

  /** What is left of the connections of these generations ends, at once. */
  void cut(Collection<Generation> generations) {
    for (var generation : generations) {
      int connections = generation.connections().size();
      if (connections > 0) {
        LOG.atWarn()
            .addKeyValue("virtualCluster", virtualCluster)
            .addKeyValue("generation", generation.number())
            .addKeyValue("connections", connections)
            .addKeyValue("requestsInFlight", meters.inFlight())
            .log("Cutting connections that did not become quiet in time");
      }
      reported = both(reported, generation.connections().cut());
    }
  }

  /** The running one, if there is one, is over: it is reported. */
  void end() {
    var over = running;
    running = null;
    report(over);
  }

  private void report(@Nullable Departure over) {
    if (over == null) {
      return;
    }
    over.end();
    if (welcoming != null) {
      welcoming.connections().tellReturns(null);
      welcoming = null;
    }
    var ended = engine.clock().instant();
    Promise<Void> made = engine.control().newPromise();
    // By the executor: what is counted already waits there.
    reported.addListener(
        _ ->
            engine
                .control()
                .execute(
                    () -> {
                      report(over.report(ended));
                      made.setSuccess(null);
                    }));
    reported = made;
  }

  private void report(DrainReport report) {
    last = report;
    meters.drained(report.took());
    var counted = report.counted();
    LOG.atInfo()
        .addKeyValue("virtualCluster", virtualCluster)
        .addKeyValue("generation", report.generation())
        .addKeyValue("way", report.way())
        .addKeyValue("millis", report.took().toMillis())
        .addKeyValue("connections", counted.outcomes())
        .addKeyValue("stamps", counted.stamps())
        .addKeyValue("answeredEarly", counted.earlyAnswers())
        .addKeyValue("lateAnswersDropped", counted.lateAnswersDropped())
        .addKeyValue("refused", counted.refused())
        .addKeyValue("unanswered", counted.unanswered())
        .addKeyValue("oneWaysLost", counted.oneWaysLost())
        .addKeyValue("reconnectWaitsRanOut", counted.reconnectWaitsRanOut())
        .log(report.way() == Way.DRAIN ? "Drained" : "Left the former generation");
  }

  /** Succeeds when all reports are made, and something else has happened. */
  Future<?> reportedAnd(Future<?> other) {
    return both(reported, other);
  }

  private Future<?> both(Future<?> one, Future<?> other) {
    var some = new PromiseCombiner(engine.control());
    some.add(one);
    some.add(other);
    Promise<Void> all = engine.control().newPromise();
    some.finish(all);
    return all;
  }
}
