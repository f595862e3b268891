package dev.sluice.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every pair of a state and an event has the answer that was agreed, pair by pair. */
class MatrixTest {

  @Test
  void every_pair_of_a_state_and_an_event_has_the_agreed_answer() throws IOException {
    assertThat(answers()).containsExactlyElementsOf(agreed());
  }

  @Test
  void there_is_a_specimen_of_every_state_and_of_every_event() {
    assertThat(Specimens.states().values().stream().<Class<?>>map(Object::getClass))
        .containsAll(kindsOf(ClusterState.class));
    assertThat(Specimens.events().values().stream().<Class<?>>map(Object::getClass))
        .containsAll(kindsOf(ClusterEvent.class));
  }

  @Test
  void the_same_state_and_event_always_give_the_same_step() {
    forEveryPair(
        (state, event) ->
            assertThat(Lifecycle.on(state, event)).isEqualTo(Lifecycle.on(state, event)));
  }

  @Test
  void every_step_says_why_in_a_sentence() {
    forEveryPair(
        (state, event) -> assertThat(Lifecycle.on(state, event).reason().sentence()).endsWith("."));
  }

  @Test
  void every_move_is_an_edge_of_the_published_table() {
    assertThat(Edge.all().stream().map(edge -> kind(edge.from()) + " -> " + kind(edge.to())))
        .containsOnly(
            "initializing -> serving",
            "initializing -> failed",
            "initializing -> initializing",
            "initializing -> stopped",
            "serving -> serving",
            "serving -> draining",
            "draining -> initializing",
            "draining -> stopped",
            "draining -> draining",
            "failed -> initializing",
            "failed -> stopped");
  }

  @Test
  void a_reload_never_passes_through_stopped() {
    assertThat(Edge.all())
        .noneMatch(edge -> edge.from().equals("draining (reload)") && edge.to().equals("stopped"));
  }

  private interface Pair {
    void check(ClusterState state, ClusterEvent event);
  }

  private static void forEveryPair(Pair pair) {
    for (var state : Specimens.states().values()) {
      for (var event : Specimens.events().values()) {
        pair.check(state, event);
      }
    }
  }

  private static List<String> answers() {
    var lines = new ArrayList<String>();
    Specimens.states()
        .forEach(
            (name, state) -> {
              lines.add(name);
              Specimens.events()
                  .forEach((event, value) -> lines.add("  " + event + ": " + answer(state, value)));
            });
    return lines;
  }

  private static String answer(ClusterState state, ClusterEvent event) {
    var step = Lifecycle.on(state, event);
    String word =
        switch (step) {
          case Step.Moved moved -> "-> " + Edge.label(moved.state());
          case Step.Noted _ -> "noted";
          case Step.Stayed _ -> "stayed";
          case Step.Refused _ -> "refused";
        };
    var actions = step.actions().stream().map(action -> action.getClass().getSimpleName()).toList();
    return word + " " + step.reason().code().label() + (actions.isEmpty() ? "" : " " + actions);
  }

  private static List<String> agreed() throws IOException {
    try (InputStream file = MatrixTest.class.getResourceAsStream("agreed-answers.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    }
  }

  private static String kind(String label) {
    return label.replaceAll(" .*", "");
  }

  private static List<Class<?>> kindsOf(Class<?> family) {
    return Stream.of(family.getPermittedSubclasses()).<Class<?>>map(kind -> kind).toList();
  }
}
