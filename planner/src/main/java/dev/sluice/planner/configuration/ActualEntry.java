package dev.sluice.planner.configuration;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One key as a server has it.
 *
 * @param value as text; null when Kafka does not tell it, which it never does for a secret
 * @param source where the value comes from
 */
public record ActualEntry(@Nullable String value, Source source) {

  public ActualEntry {
    Objects.requireNonNull(source, "source");
  }

  /** Where a value comes from, the strongest first. */
  public enum Source {
    DYNAMIC_BROKER,
    DYNAMIC_CLUSTER,
    STATIC,
    DEFAULT
  }

  /** A value may be a secret: only where it comes from is shown. */
  @Override
  public String toString() {
    return "a value from " + source;
  }
}
