package dev.sluice.app.configuration;

import dev.sluice.filter.FilterFactory;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The types of filters that are on the class path. */
final class FilterTypes {

  private final Map<String, FilterFactory> byName = new TreeMap<>();

  private FilterTypes() {}

  static FilterTypes load() {
    var types = new FilterTypes();
    for (var factory : ServiceLoader.load(FilterFactory.class)) {
      var other = types.byName.putIfAbsent(factory.type(), factory);
      if (other != null) {
        throw new IllegalStateException(
            "expected one filter of type %s on the class path, found %s and %s; take one away"
                .formatted(
                    factory.type(), other.getClass().getName(), factory.getClass().getName()));
      }
    }
    return types;
  }

  Optional<FilterFactory> find(String type) {
    return Optional.ofNullable(byName.get(type));
  }

  Collection<String> names() {
    return byName.keySet();
  }
}
