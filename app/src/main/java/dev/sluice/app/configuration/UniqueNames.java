package dev.sluice.app.configuration;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Tells a name that is given twice within one list. */
final class UniqueNames {

  private final String kind;
  private final boolean ignoreCase;
  private final Map<String, String> given = new HashMap<>();

  UniqueNames(String kind, boolean ignoreCase) {
    this.kind = kind;
    this.ignoreCase = ignoreCase;
  }

  void add(Entry entry, String name) {
    var key = ignoreCase ? name.toLowerCase(Locale.ROOT) : name;
    var first = given.putIfAbsent(key, name);
    if (first != null) {
      entry.error(
          "name",
          "expected a name that no other "
              + kind
              + " has"
              + (ignoreCase ? ", ignoring case" : "")
              + ", found '"
              + name
              + "' beside '"
              + first
              + "'");
    }
  }
}
