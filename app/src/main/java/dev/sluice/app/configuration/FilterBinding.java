package dev.sluice.app.configuration;

import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.Setting;
import dev.sluice.filter.Settings;
import dev.sluice.proxy.FilterSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The filters that virtual clusters name: {@code filterDefinitions} says what they are, {@code
 * defaultFilters} who has them that names none.
 */
final class FilterBinding {

  private final FilterTypes types = FilterTypes.load();
  private final Map<String, Optional<FilterSpec>> defined = new LinkedHashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> used = new HashSet<>();
  private final List<FilterSpec> defaults;

  FilterBinding(Entry root) {
    var names = new UniqueNames("filter definition", false);
    for (var entry : root.entries("filterDefinitions")) {
      var name = entry.text("name");
      name.ifPresent(known -> names.add(entry, known));
      var spec = spec(entry, name.orElse(entry.path()));
      name.ifPresent(
          known -> {
            entries.put(known, entry);
            defined.put(known, spec);
          });
    }
    defaults = named(root.entries("defaultFilters"));
  }

  /** The filters of a virtual cluster, in the order in which requests pass them. */
  List<FilterSpec> of(Entry virtualCluster) {
    return virtualCluster.has("filters") ? named(virtualCluster.entries("filters")) : defaults;
  }

  /** Once all references are known. */
  void warnOfUnused() {
    entries.forEach(
        (name, entry) -> {
          if (!used.contains(name)) {
            entry.warning(
                "name", "expected a virtual cluster with a filter '" + name + "', found none");
          }
        });
  }

  private List<FilterSpec> named(List<Entry> references) {
    var specs = new ArrayList<FilterSpec>();
    var given = new HashSet<String>();
    for (var reference : references) {
      var name = reference.asText();
      name.filter(known -> !given.add(known))
          .ifPresent(
              known -> reference.error("expected each filter once, found '" + known + "' again"));
      name.flatMap(known -> referred(reference, known)).ifPresent(specs::add);
    }
    return specs;
  }

  private Optional<FilterSpec> referred(Entry reference, String name) {
    used.add(name);
    if (!defined.containsKey(name)) {
      reference.error(
          "expected the name of one of filterDefinitions, found '"
              + name
              + "'"
              + advice(name, defined.keySet()));
    }
    return defined.getOrDefault(name, Optional.empty());
  }

  private Optional<FilterSpec> spec(Entry entry, String name) {
    var type = entry.text("type");
    var factory = type.flatMap(types::find);
    if (type.isPresent() && factory.isEmpty()) {
      entry.error(
          "type",
          "expected the type of a filter that is on the class path, found '"
              + type.get()
              + "'"
              + advice(type.get(), types.names()));
    }
    var timeLimit = entry.duration("timeLimit").orElse(FilterSpec.DEFAULT_TIME_LIMIT);
    return factory.flatMap(
        known ->
            settings(entry, known)
                .map(settings -> new FilterSpec(name, known, settings, timeLimit)));
  }

  private static String advice(String name, Collection<String> known) {
    return Nearest.to(name, known)
        .map(near -> "; did you mean '" + near + "'?")
        .orElse(known.isEmpty() ? "; there are none" : "; there are " + String.join(", ", known));
  }

  /** Empty if something is wrong with them, which is then said. */
  private static Optional<Settings> settings(Entry entry, FilterFactory factory) {
    var config = entry.entry("config");
    var known = factory.settings();
    boolean sound = allKnown(config, known);
    var set = new HashMap<String, Object>();
    for (var setting : known) {
      if (config.has(setting.name())) {
        var value = value(config, setting);
        value.ifPresent(found -> set.put(setting.name(), found));
        sound &= value.isPresent();
      } else if (setting.isRequired()) {
        missing(entry, config, setting);
        sound = false;
      }
    }
    return sound ? Optional.of(Settings.of(known, set)) : Optional.empty();
  }

  private static boolean allKnown(Entry config, List<Setting<?>> known) {
    var names = known.stream().map(Setting::name).toList();
    boolean sound = true;
    for (var key : config.keys()) {
      if (!names.contains(key)) {
        config.error(key, "unknown key '" + key + "'" + advice(key, names));
        sound = false;
      }
    }
    return sound;
  }

  private static void missing(Entry entry, Entry config, Setting<?> setting) {
    var message = "expected the key '" + setting.name() + "', which is missing";
    if (entry.has("config")) {
      config.error(message);
    } else {
      entry.error("expected the key 'config' with '" + setting.name() + "', which is missing");
    }
  }

  private static Optional<Object> value(Entry config, Setting<?> setting) {
    var key = setting.name();
    Optional<?> value =
        switch (setting.kind()) {
          case TEXT -> config.text(key);
          case TEXTS -> config.texts(key);
          case NUMBER -> config.number(key);
          case SIZE -> config.size(key);
          case DURATION -> config.text(key).flatMap(Quantities::duration);
          case SWITCH -> config.flag(key);
        };
    var expected =
        value.isPresent() ? setting.objection(value.get()) : Optional.of(setting.kind().inWords());
    expected.ifPresent(
        words -> config.error(key, "expected " + words + ", found " + config.shown(key)));
    return expected.isPresent() ? Optional.empty() : value.map(found -> found);
  }
}
