package dev.sluice.bench;

import java.io.IOException;
import java.util.List;

/** What one arm is put to in one turn. */
interface Course {

  /** Before the first round: what is not counted. */
  void warm(RunningArm arm) throws IOException;

  /** Returns the figures of one turn. */
  List<Sample> take(int round, RunningArm arm) throws IOException, InterruptedException;
}
