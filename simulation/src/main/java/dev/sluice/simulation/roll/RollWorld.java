package dev.sluice.simulation.roll;

import dev.sluice.planner.Plan;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.Trace;
import dev.sluice.simulation.VirtualTime;
import dev.sluice.simulation.roll.SimServer.State;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** A cluster that is rolled while things go wrong, and then while nothing does. */
public final class RollWorld {

  /** How long things go wrong, at least. */
  static final Duration SAFETY_MIN = Duration.ofMinutes(4);

  /** How long everything may take to settle once nothing goes wrong any more. */
  static final Duration LIVENESS_MAX = Duration.ofHours(4);

  private static final Duration LOOK = Duration.ofSeconds(20);

  private final Trace trace = new Trace();
  private final VirtualTime time = new VirtualTime();
  private final SimCluster cluster;
  private final SimRoller roller;
  private final Faults faults;
  private final Witness witness;
  private final Duration safety;

  public RollWorld(long seed, Planning planning) {
    this(seed, planning, _ -> {});
  }

  /**
   * @param seen told of every plan
   */
  public RollWorld(long seed, Planning planning, Consumer<Plan> seen) {
    Chance chance = new Chance(seed);
    Swarm swarm = Swarm.by(chance);
    cluster = new SimCluster(swarm, chance, time, trace);
    witness = new Witness(cluster);
    roller = new SimRoller(cluster, planning, witness, seen);
    faults = new Faults(cluster);
    safety = SAFETY_MIN.plus(chance.millis(0, 360_000));
    trace.note(swarm.toString());
  }

  public Trace trace() {
    return trace;
  }

  /** Runs both phases. */
  public void run() {
    faults.begin();
    roller.begin();
    Instant end = time.now().plus(safety);
    runUntil(end);
    trace.note(time.now() + " heals");
    faults.heal();
    roller.renew();
    Instant patience = time.now().plus(LIVENESS_MAX);
    while (!settled()) {
      Invariant.EVERYTHING_SETTLES.require(
          time.now().isBefore(patience), () -> cluster.servers + " " + cluster.partitions);
      runUntil(time.now().plus(LOOK));
    }
  }

  /** Looks after every event. */
  private void runUntil(Instant end) {
    while (time.runNext(end)) {
      witness.look();
    }
    time.runUntil(end);
  }

  /** How many plans were dropped because a second look spoke against them. */
  int dropped() {
    return roller.dropped();
  }

  private boolean settled() {
    return roller.done()
        && cluster.servers.stream()
            .allMatch(server -> server.state == State.UP && server.running.equals(cluster.desired));
  }
}
