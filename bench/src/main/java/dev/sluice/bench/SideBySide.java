package dev.sluice.bench;

import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * One broker, one stub and one JVM with clients, and before them one workload after the other: all
 * arms of a workload at the same time, one of them busy at a time, in an order by chance within
 * each round. Arms live as long as their workload, as a proxy does: what a JVM spends on its first
 * gigabyte counts for none.
 */
final class SideBySide implements AutoCloseable {

  private final BenchPlan plan;
  private final Programs programs;
  private final PrintStream out;
  private final Random order;
  private final BenchCluster cluster;
  private final LoadProcess load;
  private final RunningArm stub;
  private final Clients clients;
  private final ArmStart starter;

  private SideBySide(BenchPlan plan, Programs programs, PrintStream out, BenchCluster cluster)
      throws IOException, InterruptedException {
    this.plan = plan;
    this.programs = programs;
    this.out = out;
    this.order = new Random(plan.seed());
    this.cluster = cluster;
    this.load = LoadProcess.start();
    this.stub = startStub(cluster.folder());
    this.clients = new Clients(load, cluster);
    this.starter = new ArmStart(cluster, stub.bootstrapServers(), programs, plan.armCpu());
  }

  /** Starts what arms are put before. */
  static SideBySide start(BenchPlan plan, Programs programs, PrintStream out)
      throws IOException, InterruptedException {
    var places =
        plan.workloads().stream()
            .flatMap(
                workload ->
                    plan.arms(workload).stream().map(arm -> new Place(arm, workload.upstream())))
            .distinct()
            .toList();
    var cluster = BenchCluster.start(places);
    try {
      return new SideBySide(plan, programs, out, cluster);
    } catch (Throwable t) {
      cluster.close();
      throw t;
    }
  }

  private static RunningArm startStub(Path folder) throws IOException, InterruptedException {
    int port = FreePorts.one();
    var command = new ArrayList<>(JavaCommand.of(StubMain.class));
    command.add(Integer.toString(port));
    return RunningArm.awaited(
        Arm.DIRECT, OwnedProcess.start(command, folder.resolve("stub.out")), port);
  }

  /** Runs all rounds of a workload; its arms have ended when this returns or throws. */
  Findings run(Workload workload) throws IOException, InterruptedException {
    out.printf("%n%s: %s%n", workload.label(), workload.title());
    return new Findings(
        workload,
        switch (workload) {
          case IDLE ->
              anew(
                  workload,
                  new IdleCourse(clients, plan.idleConnections()),
                  starter.with(IdleCourse.JVM_OPTIONS));
          case LIFECYCLE ->
              new LifecycleCourse(clients, starter, programs, stub.bootstrapServers()).run(plan);
          default -> together(workload);
        });
  }

  private List<Sample> together(Workload workload) throws IOException, InterruptedException {
    Map<Arm, RunningArm> running = new EnumMap<>(Arm.class);
    var samples = new ArrayList<Sample>();
    try {
      for (var arm : plan.arms(workload)) {
        running.put(arm, starter.start(new Place(arm, workload.upstream())));
      }
      var course = course(workload);
      for (var arm : running.values()) {
        course.warm(arm);
      }
      for (int round = 1; round <= plan.rounds(); round++) {
        for (var arm : shuffled(List.copyOf(running.values()))) {
          add(course.take(round, arm), samples);
        }
      }
    } finally {
      running.values().forEach(RunningArm::close);
    }
    return samples;
  }

  private Course course(Workload workload) throws IOException {
    return switch (workload) {
      case LATENCY ->
          PacedCourse.calibrated(
              clients, plan, new RunningArm(Arm.DIRECT, cluster.bootstrapServers(), null), out);
      case STUB -> new AskingCourse(clients);
      default -> new BulkCourse(clients, workload, plan);
    };
  }

  private List<Sample> anew(Workload workload, Course course, ArmStart starting)
      throws IOException, InterruptedException {
    var samples = new ArrayList<Sample>();
    for (int round = 1; round <= plan.rounds(); round++) {
      for (var arm : shuffled(plan.arms(workload))) {
        try (var running = starting.start(new Place(arm, workload.upstream()))) {
          add(course.take(round, running), samples);
        }
      }
    }
    return samples;
  }

  private <T> List<T> shuffled(List<T> arms) {
    var shuffled = new ArrayList<>(arms);
    Collections.shuffle(shuffled, order);
    return shuffled;
  }

  private void add(List<Sample> turn, List<Sample> all) {
    all.addAll(turn);
    if (!turn.isEmpty()) {
      out.printf(
          "  round %d  %-12s  %s%n",
          turn.getFirst().round(),
          turn.getFirst().arm().label(),
          turn.stream()
              .map(
                  one ->
                      String.format(
                          Locale.ROOT,
                          "%s %." + one.metric().decimals() + "f",
                          one.metric().title(),
                          one.value()))
              .collect(Collectors.joining(", ")));
    }
  }

  @Override
  public void close() {
    stub.close();
    load.close();
    cluster.close();
  }
}
