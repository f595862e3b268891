package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Which processor somebody's threads run on, by util-linux. */
final class Processor {

  private Processor() {}

  /** Whether there are two, and the programs that lead to them. */
  static boolean canBeChosen() {
    return Runtime.getRuntime().availableProcessors() > 1
        && Child.find("taskset").isPresent()
        && Child.find("chrt").isPresent();
  }

  /** All threads that are there, and those that these start, run on this one only. */
  static void choose(long pid, String which) throws InterruptedException {
    run("taskset", "-a", "-c", "-p", which, Long.toString(pid));
  }

  /** These run only while nobody else wants to: whoever does interrupts them at once. */
  static void giveWay(long pid) throws InterruptedException {
    run("chrt", "-a", "-i", "-p", "0", Long.toString(pid));
  }

  private static void run(String... command) throws InterruptedException {
    var words = new ArrayList<String>();
    Collections.addAll(words, command);
    var child = Child.run(List.copyOf(words), "");
    assertThat(child.exitStatus()).as("%s: %s", words, child.output()).isZero();
  }
}
