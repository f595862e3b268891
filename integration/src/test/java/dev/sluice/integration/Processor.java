package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Which processor somebody's threads run on, by util-linux. */
final class Processor {

  /** The least of those priorities before which nobody else's turn comes. */
  private static final String FIRST = "1";

  private Processor() {}

  /** Whether there are two, the programs that lead to them, and who may use these. */
  static boolean canBeChosen() throws InterruptedException {
    return Runtime.getRuntime().availableProcessors() > 1
        && Child.find("taskset").isPresent()
        && Child.find("chrt").isPresent()
        && Child.run(List.of("chrt", "-r", FIRST, "true"), "").exitStatus() == 0;
  }

  /** All threads that are there, and those that these start, run on this one only. */
  static void choose(long pid, String which) throws InterruptedException {
    run("taskset", "-a", "-c", "-p", which, Long.toString(pid));
  }

  /** These run only while nobody else wants to, or nearly so: see {@link #comeFirst}. */
  static void giveWay(long pid) throws InterruptedException {
    run("chrt", "-a", "-i", "-p", "0", Long.toString(pid));
  }

  /**
   * Threads that are there now, by how their names begin (the kernel knows 15 characters), run as
   * soon as they want to. That everybody else gives way does not do: now and then the kernel lets
   * him run on, until the next tick.
   */
  static void comeFirst(long pid, String... names) throws InterruptedException, IOException {
    var threads = Path.of("/proc", Long.toString(pid), "task");
    try (var all = Files.newDirectoryStream(threads)) {
      for (var thread : all) {
        if (Arrays.stream(names).anyMatch(name(thread)::startsWith)) {
          run("chrt", "-r", "-p", FIRST, thread.getFileName().toString());
        }
      }
    }
  }

  private static String name(Path thread) {
    try {
      return Files.readString(thread.resolve("comm"));
    } catch (IOException _) {
      return ""; // It has ended meanwhile.
    }
  }

  private static void run(String... command) throws InterruptedException {
    var words = new ArrayList<String>();
    Collections.addAll(words, command);
    var child = Child.run(List.copyOf(words), "");
    assertThat(child.exitStatus()).as("%s: %s", words, child.output()).isZero();
  }
}
