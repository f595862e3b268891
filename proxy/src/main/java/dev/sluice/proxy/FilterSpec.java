package dev.sluice.proxy;

import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.Settings;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A filter that a virtual cluster uses. Equal specifications make equal filters.
 *
 * @param name of its definition
 * @param factory of its type; any instance is as good as another of its class
 * @param settings complete and checked
 * @param timeLimit how long it may take over one request or response
 */
public record FilterSpec(
    String name, FilterFactory factory, Settings settings, Duration timeLimit) {

  public static final Duration DEFAULT_TIME_LIMIT = Duration.ofSeconds(5);

  /** Equal for equal specifications. Of the settings, which may be secret, it tells a digest. */
  String fingerprint() {
    return "%s %s %s %s"
        .formatted(name, factory.getClass().getName(), timeLimit, settings.digest());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FilterSpec spec
        && name.equals(spec.name)
        && factory.getClass() == spec.factory.getClass()
        && settings.equals(spec.settings)
        && timeLimit.equals(spec.timeLimit);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, factory.getClass(), settings, timeLimit);
  }
}
