package dev.sluice.filters.prefix;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's prefix, and what it does to names. Out is towards the broker, in is towards the
 * tenant.
 */
record Prefix(String text) {

  /** A group or transactional id on the brokers. */
  String out(String name) {
    return text + name;
  }

  /** As {@link #out(String)}; nothing stays nothing. */
  @Nullable String outOrNull(@Nullable String name) {
    return name == null ? null : out(name);
  }

  /** A topic's name on the brokers. Where a topic is named by its id the name is empty, or null. */
  @Nullable String topicOut(@Nullable String name) {
    return name == null || name.isEmpty() ? name : text + name;
  }

  List<String> out(List<String> names) {
    return mapped(names, this::out);
  }

  @Nullable List<String> outOrNull(@Nullable List<String> names) {
    return names == null ? null : out(names);
  }

  /** Whether a name on the brokers is one of the tenant's. */
  boolean owns(@Nullable String name) {
    return name != null && name.startsWith(text);
  }

  /** The tenant's name for its own; empty for what is another's: it has no name here. */
  String in(String name) {
    return owns(name) ? name.substring(text.length()) : "";
  }

  @Nullable String inOrNull(@Nullable String name) {
    return name != null && owns(name) ? name.substring(text.length()) : null;
  }

  /** The tenant's names for its own; others are left out. */
  List<String> in(List<String> names) {
    return mapped(own(names, name -> name), this::in);
  }

  /** What has a name of the tenant's. */
  <E> List<E> own(List<E> all, Function<E, String> name) {
    var own = new ArrayList<E>(all.size());
    for (var each : all) {
      if (owns(name.apply(each))) {
        own.add(each);
      }
    }
    return own;
  }

  private static List<String> mapped(List<String> names, Function<String, String> mapping) {
    var mapped = new ArrayList<String>(names.size());
    names.forEach(name -> mapped.add(mapping.apply(name)));
    return mapped;
  }

  /**
   * Renames what is in a collection. Those of the message classes are hashed by name: what is
   * renamed must be taken out first.
   */
  static <E> void rename(@Nullable Collection<E> all, Consumer<E> renaming) {
    if (all == null) {
      return;
    }
    var taken = new ArrayList<E>(all.size());
    for (var each = all.iterator(); each.hasNext(); ) {
      taken.add(each.next());
      each.remove();
    }
    taken.forEach(renaming);
    all.addAll(taken);
  }
}
