package dev.sluice.integration;

import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Setting;
import dev.sluice.filter.Settings;
import dev.sluice.proxy.FilterSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A filter that cannot be made. */
final class Throwing implements FilterFactory {

  static final String WHY = "a licence that nobody has";

  private final AtomicInteger attempts = new AtomicInteger();

  FilterSpec spec() {
    var none = Settings.of(List.of(), Map.of());
    return new FilterSpec("broken", this, none, FilterSpec.DEFAULT_TIME_LIMIT);
  }

  @Override
  public String type() {
    return "Throwing";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of();
  }

  @Override
  public Filter create(Settings settings, FilterScope scope) {
    throw new IllegalStateException(WHY + ", attempt " + attempts.incrementAndGet());
  }
}
