package dev.sluice.lifecycle.reload;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a configuration means for one virtual cluster. */
public sealed interface ClusterChange {

  String name();

  /** It is what it should be: nothing is done. */
  record Unchanged(String name) implements ClusterChange {}

  /**
   * It has another configuration than the one that it runs, or failed with.
   *
   * @param aspects that differ; at least one
   * @param beside whether it serves, so that the next generation is prepared beside; otherwise it
   *     is set up at once
   * @param after clusters that have to be gone, or to have switched, first: they hold ports that it
   *     needs
   */
  record Changed(String name, Set<Aspect> aspects, boolean beside, SortedSet<String> after)
      implements ClusterChange {
    public Changed {
      aspects = Collections.unmodifiableSet(new TreeSet<>(aspects));
      after = Collections.unmodifiableSortedSet(new TreeSet<>(after));
    }
  }

  /**
   * It begins a life: a new name, or one that was stopped.
   *
   * @param after clusters that have to be gone, or to have switched, first: they hold ports that it
   *     needs
   * @param renamedFrom the removed cluster that it looks like
   */
  record Added(String name, SortedSet<String> after, Optional<String> renamedFrom)
      implements ClusterChange {
    public Added {
      after = Collections.unmodifiableSortedSet(new TreeSet<>(after));
    }
  }

  /** It is no longer configured. */
  record Removed(String name) implements ClusterChange {}

  /**
   * It has failed, and the same configuration is asked for again.
   *
   * @param after as of one that changes
   */
  record Retried(String name, SortedSet<String> after) implements ClusterChange {
    public Retried {
      after = Collections.unmodifiableSortedSet(new TreeSet<>(after));
    }
  }

  /** Clusters that have to be gone, or to have switched, before it can be prepared. */
  default SortedSet<String> waitsFor() {
    return switch (this) {
      case Changed changed -> changed.after();
      case Added added -> added.after();
      case Retried retried -> retried.after();
      case Unchanged _, Removed _ -> Collections.emptySortedSet();
    };
  }

  /** Whether it can keep the others of an atomic reload from being switched. */
  default boolean hasVeto() {
    return this instanceof Changed || this instanceof Added;
  }

  /** The name of its kind in the API and metrics. */
  default String kind() {
    return switch (this) {
      case Unchanged _ -> "unchanged";
      case Changed _ -> "changed";
      case Added _ -> "added";
      case Removed _ -> "removed";
      case Retried _ -> "retried";
    };
  }

  /** Why, as a sentence. */
  default String sentence() {
    return switch (this) {
      case Unchanged _ -> "It runs as configured.";
      case Changed changed -> "It changes in " + labels(changed.aspects()) + ".";
      case Added(_, _, var from) ->
          from.map(old -> "It looks like " + old + " under another name.")
              .orElse("It is newly configured.");
      case Removed _ -> "It is no longer configured.";
      case Retried _ -> "It had failed with this configuration.";
    };
  }

  private static String labels(Set<Aspect> aspects) {
    return aspects.stream().map(Aspect::label).collect(Collectors.joining(", "));
  }
}
