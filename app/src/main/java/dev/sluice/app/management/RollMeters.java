package dev.sluice.app.management;

import dev.sluice.planner.Block;
import dev.sluice.planner.Blocked;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Actuator;
import dev.sluice.roller.Look;
import dev.sluice.roller.RollListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Rolls as metrics. */
public final class RollMeters implements RollListener {

  private static final List<String> STATES =
      List.of(
          "Unknown", "NotRunning", "Starting", "Recovering", "NotReady", "CatchingUp", "Steady");

  private final MeterRegistry registry;
  private final Map<Integer, String> states = new ConcurrentHashMap<>();
  private final AtomicInteger blockedPartitions = new AtomicInteger();
  private final AtomicInteger batchSize = new AtomicInteger();

  public RollMeters(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("sluice.roll.blocked.partitions", blockedPartitions, AtomicInteger::get)
        .description("Partitions that forbid an action now")
        .register(registry);
    Gauge.builder("sluice.roll.batch.size", batchSize, AtomicInteger::get)
        .description("Servers of the last batch")
        .register(registry);
  }

  @Override
  public void decided(Look look, Plan plan) {
    for (var server : plan.servers()) {
      var id = server.server();
      if (states.put(id, server.condition().name()) == null) {
        register(id);
      }
    }
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
      registry
          .counter(
              "sluice.roll.actions",
              "action",
              action,
              "outcome",
              each.failure().isEmpty() ? "begun" : "failed")
          .increment();
    }
  }

  private void register(int server) {
    for (var state : STATES) {
      Gauge.builder(
              "sluice.roll.server.state", states, seen -> state.equals(seen.get(server)) ? 1 : 0)
          .description("1 for the condition of a server, 0 for the others")
          .tag("server", Integer.toString(server))
          .tag("state", state)
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
