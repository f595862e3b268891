package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.planner.HaltMark;
import dev.sluice.planner.HaltReason;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Need;
import dev.sluice.planner.Plan;
import dev.sluice.planner.RestartReason;
import dev.sluice.planner.ServerMemory;
import dev.sluice.planner.Stage;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConfigMapJournalTest {

  private static final Instant AT = Instant.parse("2026-01-01T10:00:00Z");
  private static final RollRequest REQUEST =
      new RollRequest(AT, Optional.of("new disks"), Set.of(1, 2));

  private final SimApiServer server = new SimApiServer();
  private final KubernetesClient client = server.client();
  private final Api api = new Api(client, SimKubelet.NAMESPACE);

  @AfterEach
  void end() {
    client.close();
    server.close();
  }

  @Test
  void whoever_takes_over_knows_what_was_asked_for_and_what_was_done() throws Exception {
    var journal = open();
    journal.asked(REQUEST);
    journal.intends(act(1), Memory.EMPTY, memory(1));
    journal.intends(act(2), memory(1), memory(2));

    var found = open().unfinished().orElseThrow();
    assertThat(found.request()).isEqualTo(REQUEST);
    assertThat(found.memory()).isEqualTo(memory(2));
  }

  @Test
  void what_came_to_its_end_is_not_gone_on_with() throws Exception {
    var journal = open();
    journal.asked(REQUEST);
    journal.ended(new Outcome.Finished(new Plan.Done(AT, List.of(), List.of())), AT);

    assertThat(open().unfinished()).isEmpty();
    assertThat(open().lines()).hasSize(2);
  }

  @Test
  void of_two_who_believe_in_their_right_only_one_writes() throws Exception {
    var one = open();
    one.asked(REQUEST);
    var other = open();
    one.intends(act(1), Memory.EMPTY, memory(1));

    assertThatThrownBy(() -> other.intends(act(1), Memory.EMPTY, memory(1)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("nothing is done that is not in it");
  }

  @Test
  void a_halt_and_how_things_stood_then_are_remembered() throws Exception {
    var journal = open();
    var why = new HaltReason.Loop(1, new RestartReason.RevisionDiffers("a", "b"));
    journal.asked(REQUEST);
    journal.ended(new Outcome.Halted(new Plan.Halt(AT, List.of(), why), new TreeMap<>()), AT);
    var mark = new HaltMark(Optional.of(1), true, new TreeMap<>(Map.of(1, "restart: x")));
    journal.marked(mark);

    assertThat(open().halted()).isTrue();
    assertThat(open().mark()).hasValue(mark);
    open().asked(REQUEST);
    assertThat(open().halted()).isFalse();
    assertThat(open().mark()).isEmpty();
  }

  @Test
  void lines_are_bounded_and_the_first_one_stays() throws Exception {
    var journal = open();
    journal.asked(REQUEST);
    for (int i = 0; i < ConfigMapJournal.LINES_MAX + 5; i++) {
      journal.intends(act(1), Memory.EMPTY, memory(1));
    }

    assertThat(open().lines()).hasSize(ConfigMapJournal.LINES_MAX);
    assertThat(open().unfinished().orElseThrow().memory()).isEqualTo(memory(1));
  }

  private ConfigMapJournal open() throws Exception {
    return ConfigMapJournal.open(api, "c");
  }

  private static Plan.Act act(int server) {
    var need = new Need.Restart(List.of(new RestartReason.RevisionDiffers("a", "b")));
    return new Plan.Act(
        AT,
        List.of(),
        Stage.BROKER,
        new TreeMap<>(Map.of(server, need)),
        List.of(),
        List.of(),
        List.of());
  }

  private static Memory memory(int server) {
    var known =
        new ServerMemory(
            Optional.empty(),
            new TreeMap<>(Map.of("RevisionDiffers", server)),
            List.of(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Duration.ZERO);
    return new Memory(new TreeMap<>(Map.of(server, known)), Optional.of(AT), Optional.empty());
  }
}
