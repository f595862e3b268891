package dev.sluice.roller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Policy;
import dev.sluice.planner.Progress;
import dev.sluice.planner.RestartReason;
import dev.sluice.planner.ServerMemory;
import dev.sluice.planner.reading.PlatformReading.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FileJournalTest {

  private static final Instant AT = Instant.parse("2026-01-01T00:00:00.123456789Z");

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("journal.jsonl");
  }

  @Test
  void everything_that_is_remembered_survives_the_way_through_json() {
    List<RestartReason> reasons =
        List.of(
            new RestartReason.RevisionDiffers("a", "b"),
            new RestartReason.KeysDiffer(List.of("x", "y")),
            new RestartReason.ChangeHadNoEffect(List.of("z")),
            new RestartReason.Asked(Kind.CERTIFICATE, "ca", AT),
            new RestartReason.DoesNotServe("silent"));
    var full =
        new ServerMemory(
            Optional.of(new ServerMemory.Outstanding(AT, Optional.of(AT), reasons, 7)),
            new TreeMap<>(Map.of("Asked BY_HAND", 2)),
            reasons,
            3,
            Optional.of(AT),
            Optional.of(new Progress(2, Long.MAX_VALUE, AT)),
            Optional.of(AT),
            4,
            Duration.ofMillis(12_345));
    var empty =
        new ServerMemory(
            Optional.empty(),
            new TreeMap<>(),
            List.of(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            Duration.ZERO);
    var memory =
        new Memory(
            new TreeMap<Integer, ServerMemory>(Map.of(1, full, 2, empty)),
            Optional.of(AT),
            Optional.of(AT));

    var changes = MemoryJson.changes(Memory.EMPTY, memory);

    assertThat(MemoryJson.laidOver(Memory.EMPTY, changes)).isEqualTo(memory);
    assertThat(MemoryJson.changes(memory, memory).path("servers")).isEmpty();
  }

  @Test
  void a_torn_last_line_is_cut_away_and_the_rest_counts() throws IOException {
    var request = new RollRequest(AT, Optional.of("a test"), java.util.Set.of(3));
    try (var journal = FileJournal.open(file())) {
      journal.asked(request);
    }
    Files.writeString(file(), "{\"kind\":\"ended\",\"how\":\"fin", StandardOpenOption.APPEND);

    try (var journal = FileJournal.open(file())) {
      assertThat(journal.unfinished().orElseThrow().request()).isEqualTo(request);
      journal.asked(request);
    }
    assertThat(Files.readAllLines(file())).hasSize(2);
  }

  @Test
  void a_line_that_is_broken_in_the_middle_is_not_passed_over() throws IOException {
    Files.writeString(file(), "{\"kind\":\n{\"kind\":\"asked\"}\n");

    assertThatThrownBy(() -> FileJournal.open(file()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("move the file away");
  }

  @Test
  void a_last_line_that_is_whole_and_says_nothing_is_not_passed_over() throws IOException {
    Files.writeString(file(), "{\"kind\":\"asked\",\"at\":\"%s\"}\n{\"ki\n".formatted(AT));

    assertThatThrownBy(() -> FileJournal.open(file()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("move the file away");
  }

  @Test
  void a_line_without_what_it_should_tell_is_not_passed_over() throws IOException {
    Files.writeString(file(), "{\"kind\":\"asked\"}\n");

    assertThatThrownBy(() -> FileJournal.open(file()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("move the file away");
  }

  @Test
  void whoever_shows_a_journal_does_not_stumble_over_a_line_that_is_being_written()
      throws IOException {
    Files.writeString(file(), "{\"kind\":\"asked\"}\n{\"kind\":\"en");
    var read = new ArrayList<String>();

    FileJournal.readLines(file(), line -> read.add(line.path("kind").asText()));

    assertThat(read).containsExactly("asked");
  }

  @Test
  void a_finished_roll_is_over_and_a_stopped_one_goes_on() throws Exception {
    var cluster = new ModelCluster();
    try (var journal = FileJournal.open(file())) {
      journal.asked(cluster.request);
      var loop =
          new RollLoop(cluster, cluster, journal, new RollListener() {}, LoopSettings.DEFAULT);
      loop.stopAfterBatch("a test");
      loop.run(Memory.EMPTY, Policy.DEFAULT);
      assertThat(journal.unfinished().orElseThrow().request()).isEqualTo(cluster.request);
    }
    try (var journal = FileJournal.open(file())) {
      var loop =
          new RollLoop(
              cluster,
              cluster,
              journal,
              new RollListener() {},
              new LoopSettings(Duration.ofMillis(1), Duration.ZERO, Optional.empty()));
      loop.run(journal.unfinished().orElseThrow().memory(), Policy.DEFAULT);
      assertThat(journal.unfinished()).isEmpty();
    }
    try (var journal = FileJournal.open(file())) {
      assertThat(journal.unfinished()).isEmpty();
    }
  }
}
