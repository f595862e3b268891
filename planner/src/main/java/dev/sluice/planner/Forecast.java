package dev.sluice.planner;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The whole roll, as it will go when nothing changes meanwhile.
 *
 * @param next what happens now; a forecast never hides that it is a halt
 * @param steps in order
 * @param estimate of all steps together
 * @param blocked servers that are in no step, and why
 */
public record Forecast(Plan next, List<Step> steps, Duration estimate, List<Blocked> blocked) {

  public Forecast {
    steps = List.copyOf(steps);
    blocked = List.copyOf(blocked);
  }

  /**
   * Servers that are acted upon together.
   *
   * @param estimate until the last of them is steady
   * @param limiting what keeps the step from being larger, the nearest miss first; empty when it is
   *     as large as the policy allows or nothing else is left
   */
  public record Step(
      Stage stage, SortedMap<Integer, Need> targets, Duration estimate, List<Limiting> limiting) {
    public Step {
      targets = Collections.unmodifiableSortedMap(new TreeMap<>(targets));
      limiting = List.copyOf(limiting);
    }
  }

  /**
   * A server that could not join a step, and the partitions that forbid it.
   *
   * @param topics numbers of partitions by topic; some of them
   * @param partitions all of them, counted
   */
  public record Limiting(int server, SortedMap<String, List<Integer>> topics, int partitions) {
    public Limiting {
      topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
    }

    public String sentence() {
      return "server %d cannot join because of %s: %s"
          .formatted(
              server,
              Said.count(partitions, "partition"),
              topics.entrySet().stream()
                  .map(each -> each.getKey() + " " + Said.set(each.getValue()))
                  .collect(Collectors.joining(", ")));
    }
  }
}
