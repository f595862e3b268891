package dev.sluice.app.management;

import dev.sluice.planner.Block;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.ClusterState;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.proxy.Metric;
import dev.sluice.proxy.Metric.Label;
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Look;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Rolls as metrics. */
public final class RollMeters implements RollListener {

  private static final List<String> CONDITIONS =
      List.of(
          "Unknown", "NotRunning", "Starting", "Recovering", "NotReady", "CatchingUp", "Steady");

  private static final List<String> ROLL_STATES =
      List.of("Idle", "Rolling", "Waiting", "Halted", "OutOfWindow");

  private static final List<String> OUTCOMES = List.of("finished", "halted", "stopped");

  private static final Metric STATE =
      Metric.gauge(
          "sluice.roll.state",
          "1 for the state that the roll as a whole is in, 0 for the others.",
          "First of all. `Waiting` for long and `Halted` want somebody.",
          Label.of("state", "of the roll", ROLL_STATES.stream()));
  private static final Metric ENDED =
      Metric.gauge(
          "sluice.roll.ended",
          "1 for how the roll has ended; 0 for all as long as it lasts.",
          "In the file that `--metrics-file` leaves: `halted` wants somebody.",
          Label.of("outcome", "of the roll", OUTCOMES.stream()));
  private static final Metric SERVER_STATE =
      Metric.gauge(
          "sluice.roll.server.state",
          "1 for the condition that a server is in, 0 for the others.",
          "A server does not come back; `sluice roll plan` says why.",
          Label.open("server", "the id of one"),
          Label.of("state", "its condition", CONDITIONS.stream()));
  private static final Metric ACTIONS =
      Metric.counter(
          "sluice.roll.actions",
          "Restarts and reconfigurations of servers.",
          "How far a roll is; `failed` ones could not even begin.",
          Label.of("action", "what was done", Stream.of("restart", "reconfigure")),
          Label.of("outcome", "whether it could be begun", Stream.of("begun", "failed")));
  private static final Metric BLOCKED =
      Metric.gauge(
          "sluice.roll.blocked.partitions",
          "Partitions that forbid an action now.",
          "A roll waits: some of their replicas are out of sync.");
  private static final Metric BATCH =
      Metric.gauge(
          "sluice.roll.batch.size",
          "Servers of the last batch.",
          "How much the partitions allow at once, against `policy.maxParallel`.");

  /** All that are built here. */
  public static final List<Metric> METRICS =
      List.of(STATE, ENDED, SERVER_STATE, ACTIONS, BLOCKED, BATCH);

  private final MeterRegistry registry;
  private final Map<Integer, String> states = new ConcurrentHashMap<>();
  private final AtomicInteger blockedPartitions = new AtomicInteger();
  private final AtomicInteger batchSize = new AtomicInteger();
  private final AtomicReference<String> state = new AtomicReference<>("");
  private final AtomicReference<String> ended = new AtomicReference<>("");

  public RollMeters(MeterRegistry registry) {
    this.registry = registry;
    BLOCKED.newGauge(blockedPartitions, AtomicInteger::get).register(registry);
    BATCH.newGauge(batchSize, AtomicInteger::get).register(registry);
    for (var each : ROLL_STATES) {
      STATE.newGauge(state, now -> each.equals(now.get()) ? 1 : 0, each).register(registry);
    }
    for (var each : OUTCOMES) {
      ENDED.newGauge(ended, how -> each.equals(how.get()) ? 1 : 0, each).register(registry);
    }
  }

  @Override
  public void decided(Look look, Plan plan) {
    for (var server : plan.servers()) {
      var id = server.server();
      if (states.put(id, server.condition().name()) == null) {
        register(id);
      }
    }
    state.set(ClusterState.of(plan).getClass().getSimpleName());
    blockedPartitions.set(RollJson.blockedBy(plan).stream().mapToInt(RollMeters::partitions).sum());
  }

  @Override
  public void acting(Plan.Act act) {
    batchSize.set(act.targets().size());
  }

  @Override
  public void acted(Plan.Act act, List<Actuator.Performed> performed) {
    for (var each : performed) {
      var action =
          act.targets().get(each.server()) instanceof Need.Reconfigure ? "reconfigure" : "restart";
      ACTIONS
          .newCounter(action, each.failure().isEmpty() ? "begun" : "failed")
          .register(registry)
          .increment();
    }
  }

  /** One that was stopped waits for nothing any more. */
  @Override
  public void ended(Outcome outcome) {
    ended.set(outcome.label());
    if (outcome instanceof Outcome.Stopped) {
      state.set("");
      blockedPartitions.set(0);
    }
  }

  private void register(int server) {
    for (var condition : CONDITIONS) {
      SERVER_STATE
          .newGauge(
              states,
              seen -> condition.equals(seen.get(server)) ? 1 : 0,
              Integer.toString(server),
              condition)
          .register(registry);
    }
  }

  private static int partitions(Blocked blocked) {
    return switch (blocked.why()) {
      case Block.PartitionsTooThin(_, int count) -> count;
      case Block.MayBeLastLeader(_, int count) -> count;
      default -> 0;
    };
  }
}
