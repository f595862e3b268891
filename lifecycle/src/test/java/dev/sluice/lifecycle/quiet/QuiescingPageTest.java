package dev.sluice.lifecycle.quiet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The function is total, and {@code docs/generated/quiescing.md} says what it does. To write the
 * page anew, add {@code -Dgenerate=true}.
 */
class QuiescingPageTest {

  private static final Path PAGE = Path.of("..", "docs", "generated", "quiescing.md");
  private static final String COMMAND =
      "mvn -Pquick -pl lifecycle test -Dtest='QuiescingPage*' -Dgenerate=true";

  @Test
  void the_page_says_what_the_function_does() throws IOException {
    var text = text();
    if (Boolean.getBoolean("generate")) {
      Files.writeString(PAGE, text);
    }
    assertThat(Files.exists(PAGE) ? Files.readString(PAGE) : "")
        .as("docs/generated/quiescing.md differs from the code; to write it anew:%n  %s%n", COMMAND)
        .isEqualTo(text);
  }

  @Test
  void there_is_a_specimen_of_every_phase_and_of_every_event() {
    assertThat(QuietSpecimens.states().values().stream().map(QuietState::phase))
        .contains(Phase.values());
    assertThat(QuietSpecimens.events().stream().<Class<?>>map(QuietEvent::getClass))
        .containsAll(Stream.<Class<?>>of(QuietEvent.class.getPermittedSubclasses()).toList());
  }

  @Test
  void every_event_in_every_state_has_the_same_answer_each_time() {
    forEveryPair((state, event, step) -> assertThat(Quiescing.on(state, event)).isEqualTo(step));
  }

  @Test
  void a_request_that_is_told_is_always_disposed_of_first() {
    forEveryPair(
        (_, event, step) -> {
          if (event instanceof QuietEvent.RequestRead || event instanceof QuietEvent.OneWayRead) {
            assertThat(step.actions().getFirst())
                .isInstanceOfAny(
                    QuietAction.Forward.class,
                    QuietAction.Hold.class,
                    QuietAction.Park.class,
                    QuietAction.Discard.class);
          }
        });
  }

  @Test
  void a_response_that_came_is_always_disposed_of_first() {
    forEveryPair(
        (_, event, step) -> {
          if (event instanceof QuietEvent.ResponseCame) {
            assertThat(withoutReading(step).getFirst())
                .isInstanceOfAny(
                    QuietAction.Pass.class, QuietAction.Stamp.class, QuietAction.Drop.class);
          }
        });
  }

  @Test
  void what_is_over_stays_over() {
    forEveryPair(
        (state, _, step) -> {
          if (state.phase() == Phase.CLOSED) {
            assertThat(step.state()).isEqualTo(state);
          }
        });
  }

  @Test
  void every_reason_is_a_sentence() {
    assertThat(Because.values()).allMatch(each -> each.sentence().endsWith("."));
  }

  private interface Pair {
    void check(QuietState state, QuietEvent event, QuietStep step);
  }

  private static void forEveryPair(Pair pair) {
    for (var state : QuietSpecimens.states().values()) {
      for (var event : QuietSpecimens.events()) {
        pair.check(state, event, Quiescing.on(state, event));
      }
    }
  }

  private static List<QuietAction> withoutReading(QuietStep step) {
    return step.actions().stream()
        .filter(each -> !(each instanceof QuietAction.StopReading))
        .toList();
  }

  // ---- the page ------------------------------------------------------------------------------

  private static String text() {
    return String.join(
            "\n",
            "# How a connection goes quiet",
            "",
            "Written by `QuiescingPageTest` from `Quiescing.on`: do not edit. What it is for is in"
                + " the documentation of the package `dev.sluice.lifecycle.quiet`.",
            "",
            "## Diagram",
            "",
            "```mermaid",
            diagram(),
            "```",
            "",
            "## Every event in every phase",
            "",
            "What the shell is told to do; rings are left out. Several answers: they depend on the"
                + " facts of the state.",
            "",
            table(),
            "## Reasons",
            "",
            "| reason | |",
            "| --- | --- |",
            Stream.of(Because.values())
                .map(each -> "| `" + each.label() + "` | " + each.sentence() + " |")
                .collect(Collectors.joining("\n")))
        + "\n";
  }

  private static String diagram() {
    SortedMap<String, SortedSet<String>> edges = new TreeMap<>();
    forEveryPair(
        (state, _, step) -> {
          if (state.phase() != step.state().phase()) {
            edges
                .computeIfAbsent(
                    id(state.phase()) + " --> " + id(step.state().phase()), _ -> new TreeSet<>())
                .add(step.because().label());
          }
        });
    var lines = new ArrayList<>(List.of("stateDiagram-v2", "    [*] --> open"));
    edges.forEach((edge, why) -> lines.add("    " + edge + ": " + String.join("<br>", why)));
    lines.add("    closed --> [*]");
    return String.join("\n", lines);
  }

  private static String table() {
    var answers = new EnumMap<Phase, SortedMap<String, SortedSet<String>>>(Phase.class);
    forEveryPair(
        (state, event, step) ->
            answers
                .computeIfAbsent(state.phase(), _ -> new TreeMap<>())
                .computeIfAbsent(words(event), _ -> new TreeSet<>())
                .add(answer(state, step)));
    var text = new StringBuilder();
    answers.forEach(
        (phase, rows) -> {
          text.append("### ")
              .append(phase.label())
              .append("\n\n| event | answers |\n| --- | --- |\n");
          rows.forEach((event, cell) -> text.append(row(event, cell)));
          text.append('\n');
        });
    return text.toString();
  }

  private static String row(String event, SortedSet<String> cell) {
    return "| " + event + " | " + String.join(" *or* ", cell) + " |\n";
  }

  private static String answer(QuietState before, QuietStep step) {
    var parts = new ArrayList<String>();
    step.actions().stream()
        .filter(each -> !(each instanceof QuietAction.RingAt))
        .forEach(each -> parts.add(words(each)));
    if (before.phase() != step.state().phase()) {
      parts.add("**" + step.state().phase().label() + "**");
    }
    return parts.isEmpty() ? "noted" : String.join(", ", parts);
  }

  private static String id(Phase phase) {
    return phase.label().replace(' ', '_');
  }

  private static String words(Object value) {
    return value
        .getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
