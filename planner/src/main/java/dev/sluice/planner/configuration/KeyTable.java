package dev.sluice.planner.configuration;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Kafka's own table of its keys, of one release of it.
 *
 * @param kinds by key
 */
public record KeyTable(SortedMap<String, KeyKind> kinds) {

  private static final String LISTENER_PREFIX = "listener.name.";
  private static final String NO_DEFAULT = "-";

  public KeyTable {
    kinds = Collections.unmodifiableSortedMap(new TreeMap<>(kinds));
  }

  public static KeyTable of(Map<String, KeyKind> kinds) {
    return new KeyTable(new TreeMap<>(kinds));
  }

  /**
   * Reads the form in which tables are kept: one key a line, tab-separated: key, scope, type,
   * default or {@code -}, and the roles that read it ({@code b}, {@code c} or {@code bc}). Lines
   * that begin with {@code #} are comments.
   */
  public static KeyTable parse(List<String> lines) {
    SortedMap<String, KeyKind> kinds = new TreeMap<>();
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\t", -1);
      if (cells.length != 5) {
        throw new IllegalArgumentException(
            "expected key, scope, type, default and roles, separated by tabs, found '"
                + line
                + "'");
      }
      kinds.put(
          cells[0],
          new KeyKind(
              Scope.valueOf(cells[1]),
              KeyKind.Form.valueOf(cells[2]),
              cells[3].equals(NO_DEFAULT) ? null : cells[3],
              cells[4].contains("c"),
              cells[4].contains("b")));
    }
    return new KeyTable(kinds);
  }

  /** What is known of a key; a key with a listener's prefix is what it is without the prefix. */
  Optional<KeyKind> kind(String key) {
    KeyKind known = kinds.get(key);
    if (known == null && key.startsWith(LISTENER_PREFIX)) {
      return suffixes(key.substring(LISTENER_PREFIX.length()));
    }
    return Optional.ofNullable(known);
  }

  /**
   * Whether two texts mean the same as values of a key; of an unknown key, whether they are equal.
   */
  public boolean same(String key, String one, String other) {
    return kind(key)
        .map(kind -> kind.form().same(one, other))
        .orElseGet(() -> one.strip().equals(other.strip()));
  }

  /** {@code internal.scram-sha-512.sasl.jaas.config}: names of listeners have no fixed form. */
  private Optional<KeyKind> suffixes(String rest) {
    for (int dot = rest.indexOf('.'); dot >= 0; dot = rest.indexOf('.', dot + 1)) {
      KeyKind known = kinds.get(rest.substring(dot + 1));
      if (known != null) {
        return Optional.of(known);
      }
    }
    return Optional.empty();
  }
}
