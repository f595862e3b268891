package dev.sluice.roller;

import dev.sluice.planner.Plan;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** How a roll ended. */
public sealed interface Outcome {

  /** One sentence. */
  String sentence();

  /** In one word, for a journal and for metrics. */
  String label();

  /** Nothing is left to do. */
  record Finished(Plan.Done done) implements Outcome {
    @Override
    public String sentence() {
      return done.sentence();
    }

    @Override
    public String label() {
      return "finished";
    }
  }

  /**
   * It was not safe to go on.
   *
   * @param lastWords of the servers that are to blame, by id
   */
  record Halted(Plan.Halt halt, SortedMap<Integer, List<String>> lastWords) implements Outcome {
    public Halted {
      lastWords = Collections.unmodifiableSortedMap(new TreeMap<>(lastWords));
    }

    @Override
    public String sentence() {
      return halt.sentence();
    }

    @Override
    public String label() {
      return "halted";
    }
  }

  /** Somebody asked to stop, or time was up; asked again, it goes on where it was. */
  record Stopped(String why) implements Outcome {
    @Override
    public String sentence() {
      return "stopped: " + why;
    }

    @Override
    public String label() {
      return "stopped";
    }
  }
}
