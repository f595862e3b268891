package dev.sluice.architecture;

import dev.sluice.lifecycle.Action;
import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.ClusterState.Kind;
import dev.sluice.lifecycle.Edge;
import dev.sluice.lifecycle.Lifecycle;
import dev.sluice.lifecycle.Specimens;
import dev.sluice.lifecycle.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Writes docs/generated/lifecycle.md by asking the function about every pair of specimens. */
final class LifecyclePage {

  private LifecyclePage() {}

  static String text() {
    return String.join(
            "\n",
            "# The transitions of a virtual cluster",
            "",
            "Written by `GeneratedDocsTest` from `Lifecycle.on`: do not edit.",
            "",
            "## Diagram",
            "",
            "```mermaid",
            diagram(),
            "```",
            "",
            "## Transitions",
            "",
            "Each is an entry in the history. The actions are obeyed in this order.",
            "",
            "| from | event | to | reason | actions |",
            "| --- | --- | --- | --- | --- |",
            transitions(),
            "",
            "## Every event in every state",
            "",
            "*noted*: a fact within the state changes, no entry in the history. *stayed*: a benign"
                + " race, nothing changes. *refused*: not possible now (409), nothing changes."
                + " Several answers: they depend on the facts of the state.",
            "",
            header(),
            "|" + " --- |".repeat(Kind.values().length + 1),
            matrix())
        + "\n";
  }

  private static String diagram() {
    var labels = new TreeMap<String, SortedSet<String>>();
    for (var edge : Edge.all()) {
      labels
          .computeIfAbsent(kind(edge.from()) + " --> " + kind(edge.to()), _ -> new TreeSet<>())
          .add(edge.code().label());
    }
    var lines = new ArrayList<>(List.of("stateDiagram-v2", "    [*] --> initializing"));
    labels.forEach((edge, codes) -> lines.add("    " + edge + ": " + String.join("<br>", codes)));
    lines.add("    stopped --> [*]");
    return String.join("\n", lines);
  }

  private static String transitions() {
    SortedMap<Edge, SortedMap<String, SortedSet<String>>> rows = new TreeMap<>();
    forEveryPair(
        (state, event, step) ->
            Edge.of(state, step)
                .ifPresent(
                    edge ->
                        rows.computeIfAbsent(edge, _ -> new TreeMap<>())
                            .computeIfAbsent(name(event), _ -> new TreeSet<>())
                            .add(actions(step))));
    return rows.entrySet().stream()
        .flatMap(row -> row.getValue().entrySet().stream().map(event -> line(row.getKey(), event)))
        .collect(Collectors.joining("\n"));
  }

  private static String line(Edge edge, Map.Entry<String, SortedSet<String>> event) {
    return "| %s | %s | %s | `%s` | %s |"
        .formatted(
            edge.from(),
            event.getKey(),
            edge.to(),
            edge.code().label(),
            String.join(" *or* ", event.getValue()));
  }

  private static String header() {
    var cells = new ArrayList<>(List.of("event"));
    for (var kind : Kind.values()) {
      cells.add(kind.label());
    }
    return "| " + String.join(" | ", cells) + " |";
  }

  private static String matrix() {
    SortedMap<String, SortedMap<Kind, SortedSet<String>>> answers = new TreeMap<>();
    forEveryPair(
        (state, event, step) ->
            answers
                .computeIfAbsent(name(event), _ -> new TreeMap<>())
                .computeIfAbsent(state.kind(), _ -> new TreeSet<>())
                .add(answer(step)));
    return answers.entrySet().stream()
        .map(
            row ->
                "| "
                    + row.getKey()
                    + " | "
                    + row.getValue().values().stream()
                        .map(cell -> String.join(", ", cell))
                        .collect(Collectors.joining(" | "))
                    + " |")
        .collect(Collectors.joining("\n"));
  }

  private interface Pair {
    void show(ClusterState state, ClusterEvent event, Step step);
  }

  private static void forEveryPair(Pair pair) {
    for (var state : Specimens.states().values()) {
      for (var event : Specimens.events().values()) {
        pair.show(state, event, Lifecycle.on(state, event));
      }
    }
  }

  private static String answer(Step step) {
    return switch (step) {
      case Step.Moved moved -> "**" + moved.state().kind().label() + "**";
      case Step.Noted _ -> "noted";
      case Step.Stayed _ -> "stayed";
      case Step.Refused _ -> "refused";
    };
  }

  private static String actions(Step step) {
    return step.actions().isEmpty()
        ? "none"
        : step.actions().stream().map(LifecyclePage::name).collect(Collectors.joining(", "));
  }

  private static String name(ClusterEvent event) {
    return words(event.getClass().getSimpleName());
  }

  private static String name(Action action) {
    return words(action.getClass().getSimpleName());
  }

  private static String words(String camelCase) {
    return camelCase.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  private static String kind(String label) {
    return label.replaceAll(" .*", "");
  }
}
