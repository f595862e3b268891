package dev.sluice.planner.configuration;

import java.util.List;

/**
 * How one server's configuration differs from the desired one.
 *
 * @param operations that change what can change while running, in order of keys
 * @param readOnly keys that differ and take effect only at a start, in order
 * @param unknown secrets that are desired and that Kafka does not tell, in order; never a reason to
 *     do anything
 */
public record Differences(List<Operation> operations, List<String> readOnly, List<String> unknown) {

  public static final Differences NONE = new Differences(List.of(), List.of(), List.of());

  public Differences {
    operations = List.copyOf(operations);
    readOnly = List.copyOf(readOnly);
    unknown = List.copyOf(unknown);
  }

  /** How many keys differ. */
  public int count() {
    return (int) operations.stream().map(Operation::key).distinct().count() + readOnly.size();
  }

  /** Finds them. */
  public static Differences between(Desired desired, Actual actual, KeyTable table) {
    return new Comparison(desired, actual, table).differences();
  }
}
