package dev.sluice.lifecycle;

import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Kind;
import java.util.Comparator;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** One edge of the transition table, with what causes it. Draining counts with its purpose. */
public record Edge(String from, String to, Reason.Code code) implements Comparable<Edge> {

  private static final Comparator<Edge> ORDER =
      Comparator.<Edge, Kind>comparing(edge -> kind(edge.from))
          .thenComparing(Edge::from)
          .thenComparing(edge -> kind(edge.to))
          .thenComparing(Edge::to)
          .thenComparing(Edge::code);

  /** All edges that the function has, found by asking it about every pair of specimens. */
  public static NavigableSet<Edge> all() {
    var edges = new TreeSet<Edge>();
    for (var state : Specimens.states().values()) {
      for (var event : Specimens.events().values()) {
        of(state, Lifecycle.on(state, event)).ifPresent(edges::add);
      }
    }
    return edges;
  }

  /** The edge that a step takes, if it takes one. */
  public static Optional<Edge> of(ClusterState before, Step step) {
    return step instanceof Step.Moved(ClusterState after, _, Reason reason)
        ? Optional.of(new Edge(label(before), label(after), reason.code()))
        : Optional.empty();
  }

  /** The name of a state in tables. */
  public static String label(ClusterState state) {
    return state instanceof Draining draining
        ? "draining (" + draining.purpose().label() + ")"
        : state.kind().label();
  }

  @Override
  public int compareTo(Edge other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return from + " -> " + to + " [" + code.label() + "]";
  }

  private static Kind kind(String label) {
    return Kind.valueOf(label.replaceAll(" .*", "").toUpperCase(Locale.ROOT));
  }
}
