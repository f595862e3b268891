package dev.sluice.bench;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * One run: all arms before one broker at the same time, one of them busy at a time. Arms live as
 * long as the run, as a proxy does: what a JVM spends on its first gigabyte counts for none.
 */
final class SideBySide {

  private final BenchPlan plan;
  private final Programs programs;
  private final PrintStream out;
  private final Random order;
  private final Map<Arm, RunningArm> running = new EnumMap<>(Arm.class);
  private final List<Measured> measured = new ArrayList<>();
  private int topics;

  SideBySide(BenchPlan plan, Programs programs, PrintStream out) {
    this.plan = plan;
    this.programs = programs;
    this.out = out;
    this.order = new Random(plan.seed());
  }

  /** Runs all rounds; whatever was started has ended when this returns or throws. */
  List<Measured> run() throws IOException, InterruptedException {
    var armPorts = new EnumMap<Arm, Integer>(Arm.class);
    plan.arms().forEach(arm -> armPorts.put(arm, FreePorts.one()));
    try (var cluster = BenchCluster.start(armPorts);
        var load = LoadProcess.start()) {
      var starter = new ArmStart(cluster, programs, plan.armCpu());
      for (var arm : plan.arms()) {
        int port = armPorts.getOrDefault(arm, 0);
        running.put(arm, starter.start(arm, port));
      }
      warm(load, cluster.bootstrapServers());
      for (int round = 1; round <= plan.rounds(); round++) {
        round(round, load, cluster.bootstrapServers());
      }
    } finally {
      running.values().forEach(RunningArm::close);
    }
    return List.copyOf(measured);
  }

  private void warm(LoadProcess load, String direct) throws IOException {
    for (var workload : plan.workloads()) {
      for (var arm : running.values()) {
        out.printf("warming %s with %s%n", arm.arm().label(), workload.title());
        take(turn(0, workload, arm), load, direct);
      }
    }
  }

  private void round(int round, LoadProcess load, String direct) throws IOException {
    for (var workload : plan.workloads()) {
      var arms = new ArrayList<>(running.values());
      Collections.shuffle(arms, order);
      for (var arm : arms) {
        for (var one : take(turn(round, workload, arm), load, direct)) {
          measured.add(one);
          tell(one);
        }
      }
    }
  }

  /** One workload through one arm; round 0 warms. */
  private record Turn(int round, Workload workload, RunningArm arm, String topic, int records) {

    LoadRequest request(LoadRequest.Verb verb, String bootstrapServers) {
      return new LoadRequest(
          verb, bootstrapServers, topic, workload.recordBytes(), records, workload.partitions());
    }
  }

  private Turn turn(int round, Workload workload, RunningArm arm) {
    int records = workload.records(round == 0 ? plan.warmGigabytes() : plan.gigabytes());
    return new Turn(round, workload, arm, "bench-" + ++topics, records);
  }

  private static List<Measured> take(Turn turn, LoadProcess load, String direct)
      throws IOException {
    load.ask(turn.request(LoadRequest.Verb.CREATE, direct));
    var measured = new ArrayList<Measured>();
    for (var phase : Phase.values()) {
      measured.add(measure(turn, phase, load));
    }
    load.ask(turn.request(LoadRequest.Verb.DELETE, direct));
    return measured;
  }

  private static Measured measure(Turn turn, Phase phase, LoadProcess load) throws IOException {
    var arm = turn.arm();
    var verb =
        switch (phase) {
          case PRODUCE -> LoadRequest.Verb.PRODUCE;
          case CONSUME -> LoadRequest.Verb.CONSUME;
        };
    var before = arm.reading();
    double seconds = load.ask(turn.request(verb, arm.bootstrapServers()));
    var after = arm.reading();
    return new Measured(
        turn.round(),
        turn.workload(),
        phase,
        arm.arm(),
        (long) turn.records() * turn.workload().recordBytes(),
        seconds,
        before.isPresent() && after.isPresent()
            ? OptionalDouble.of(after.get().cpuSeconds() - before.get().cpuSeconds())
            : OptionalDouble.empty(),
        after.map(ProcessReading::residentBytes).orElse(0L));
  }

  private void tell(Measured one) {
    var cpu = one.cpuSecondsPerGigabyte();
    out.printf(
        Locale.ROOT,
        "round %d  %-18s  %-7s  %-7s  %6.0f MB/s  %s%n",
        one.round(),
        one.workload().title(),
        one.phase().label(),
        one.arm().label(),
        one.megabytesPerSecond(),
        cpu.isPresent() ? String.format(Locale.ROOT, "%.2f CPU s/GB", cpu.getAsDouble()) : "");
  }
}
