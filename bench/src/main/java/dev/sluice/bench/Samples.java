package dev.sluice.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Figures of one turn. */
final class Samples {
  static final double MEGABYTE = 1e6;

  private final int round;
  private final Arm arm;
  private final List<Sample> all = new ArrayList<>();

  Samples(int round, Arm arm) {
    this.round = round;
    this.arm = arm;
  }

  /** Unless there is no such figure. */
  void add(Metric metric, double value) {
    if (!Double.isNaN(value)) {
      all.add(new Sample(round, arm, metric, value));
    }
  }

  void addResident(RunningArm running) throws IOException {
    running.resident().ifPresent(bytes -> add(Metric.RESIDENT, bytes / MEGABYTE));
  }

  List<Sample> all() {
    return List.copyOf(all);
  }
}
