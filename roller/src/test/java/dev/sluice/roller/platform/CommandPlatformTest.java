package dev.sluice.roller.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import dev.sluice.roller.platform.CommandPlatform.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandPlatformTest {

  private static final ServerSpec SERVER = new ServerSpec(3, Set.of(Role.BROKER), Optional.empty());

  @TempDir private Path folder;

  /** Of commands that end by themselves: a machine that is full may take long to start a shell. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static CommandPlatform platform(
      String restart, String status, Optional<String> revision) {
    return platform(restart, status, revision, PATIENCE);
  }

  private static CommandPlatform platform(
      String restart, String status, Optional<String> revision, Duration lookLimit) {
    return new CommandPlatform(
        new Commands(
            shell(restart),
            shell(status),
            revision.map(CommandPlatformTest::shell),
            Optional.of(shell("echo one; echo two; echo three")),
            lookLimit,
            PATIENCE),
        new TreeMap<>(Map.of(3, Map.of("host", "kafka 3"))));
  }

  private static CommandTemplate shell(String script) {
    return new CommandTemplate(List.of("/bin/sh", "-c", script, "sh", "{id}", "{host}"));
  }

  @Test
  void a_running_server_is_told_with_its_start_and_its_revisions() throws Exception {
    var reading =
        platform(
                "true",
                "echo state=running; echo since=1700000000; echo anything else",
                Optional.of("echo running=a; echo desired=b"))
            .look(SERVER);

    assertThat(reading.phase()).isEqualTo(Phase.RUNNING);
    assertThat(reading.since()).isEqualTo(Instant.ofEpochSecond(1_700_000_000));
    assertThat(reading.revisionRunning()).isEqualTo("a");
    assertThat(reading.revisionDesired()).isEqualTo("b");
  }

  @Test
  void what_systemctl_prints_is_understood() throws IOException {
    var active =
        CommandStatus.parse(
            "ActiveState=active\nExecMainStartTimestamp=@1700000000\nResult=success");
    var crashing =
        CommandStatus.parse(
            "ActiveState=activating\nSubState=auto-restart\nExecMainExitTimestamp=@1700000009\nResult=exit-code");

    assertThat(active.phase()).isEqualTo(Phase.RUNNING);
    assertThat(crashing.phase()).isEqualTo(Phase.CANNOT_START);
    assertThat(crashing.why()).isEqualTo("exit-code");
    assertThat(crashing.since()).isEqualTo(Instant.ofEpochSecond(1_700_000_009));
  }

  @Test
  void what_cannot_be_told_is_not_guessed() {
    assertThatThrownBy(() -> platform("true", "echo state=running", Optional.empty()).look(SERVER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("when the process started");
    assertThatThrownBy(() -> platform("true", "echo what; exit 4", Optional.empty()).look(SERVER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ended with status 4");
    assertThatThrownBy(
            () ->
                platform("true", "echo state=stopped", Optional.of("echo running=a")).look(SERVER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("desired=...");
  }

  @Test
  void a_command_that_hangs_is_killed_with_all_that_it_started() throws Exception {
    var started = folder.resolve("started");
    var script = "sleep 600 & echo $! > %s; sleep 600".formatted(started);
    for (var limit = Duration.ofSeconds(1); !isWhole(started); limit = limit.multipliedBy(2)) {
      // Where it could not even begin within the limit, it is given more.
      var hangs = platform("true", script, Optional.empty(), limit);
      assertThatThrownBy(() -> hangs.look(SERVER))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("did not end within");
    }
    long pid = Long.parseLong(Files.readString(started).strip());
    await().atMost(PATIENCE).until(() -> !runs(pid));
  }

  private static boolean isWhole(Path line) throws IOException {
    return Files.exists(line) && Files.readString(line).endsWith("\n");
  }

  /** A process that ended and that nobody has collected yet does not run. */
  private static boolean runs(long pid) {
    try {
      return !Files.readString(Path.of("/proc", Long.toString(pid), "stat")).contains(") Z ");
    } catch (IOException _) {
      return false;
    }
  }

  @Test
  void a_restart_is_given_its_places_and_no_shell_reads_them() throws Exception {
    var out = folder.resolve("out");
    var platform =
        platform(
            "echo \"$1 $2\" >> " + out,
            "echo state=running; echo since=2026-01-01T00:00:00Z",
            Optional.empty());

    platform.restart(SERVER, Optional.of(Instant.parse("2026-01-01T00:00:00Z")));
    assertThat(Files.readAllLines(out)).containsExactly("3 kafka 3");
  }

  @Test
  void a_server_that_was_restarted_since_is_not_restarted_again() throws Exception {
    var out = folder.resolve("out");
    var platform =
        platform("touch " + out, "echo state=running; echo since=1700000001", Optional.empty());

    platform.restart(SERVER, Optional.of(Instant.ofEpochSecond(1_700_000_000)));
    assertThat(out).doesNotExist();
  }

  @Test
  void a_restart_that_is_under_way_is_not_asked_for_again_and_not_taken_for_nothing()
      throws Exception {
    var begun = folder.resolve("begun");
    var may = folder.resolve("may");
    var platform =
        platform(
            "echo x >> " + begun + "; while [ ! -e " + may + " ]; do sleep 0.05; done",
            "echo state=running; echo since=1700000000",
            Optional.empty());
    var process = Optional.of(Instant.ofEpochSecond(1_700_000_000));
    var first = Thread.ofVirtual().start(() -> restart(platform, process));
    await().atMost(PATIENCE).until(() -> Files.exists(begun));

    assertThatThrownBy(() -> platform.restart(SERVER, process))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the command that restarts it runs since");
    assertThatThrownBy(() -> platform.look(SERVER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the command that restarts it runs since");

    Files.createFile(may);
    first.join();
    assertThat(platform.look(SERVER).running()).isTrue();
    assertThat(Files.readAllLines(begun)).hasSize(1);
  }

  private static void restart(CommandPlatform platform, Optional<Instant> process) {
    try {
      platform.restart(SERVER, process);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void two_servers_that_share_a_command_are_named_with_it() {
    var own = new CommandTemplate(List.of("ssh", "{host}", "systemctl", "restart", "kafka"));
    var shared = new CommandTemplate(List.of("systemctl", "restart", "kafka"));
    var servers = List.of(SERVER, new ServerSpec(4, Set.of(Role.CONTROLLER), Optional.empty()));
    var values = Map.of(3, Map.of("host", "a"), 4, Map.of("host", "b"));

    assertThat(CommandPlatform.shared(commands(own, own), servers, values)).isEmpty();
    assertThat(CommandPlatform.shared(commands(shared, own), servers, values))
        .contains("servers 3 and 4 share the command 'systemctl restart kafka'");
    assertThat(
            CommandPlatform.shared(
                commands(own, own),
                servers,
                Map.of(3, Map.of("host", "a"), 4, Map.of("host", "a"))))
        .contains("servers 3 and 4 share the command 'ssh a systemctl restart kafka'");
  }

  private static Commands commands(CommandTemplate restart, CommandTemplate status) {
    return new Commands(
        restart,
        status,
        Optional.empty(),
        Optional.empty(),
        Duration.ofSeconds(1),
        Duration.ofSeconds(1));
  }

  @Test
  void a_restart_may_leave_a_server_behind_that_keeps_its_output_open() throws Exception {
    var mark = folder.resolve("mark");
    var platform = platform("(sleep 2; touch " + mark + ") & exit 0", "true", Optional.empty());

    platform.restart(SERVER, Optional.empty());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(mark).exists());
  }

  @Test
  void a_restart_that_fails_says_so() {
    assertThatThrownBy(
            () ->
                platform("echo no such unit >&2; exit 5", "true", Optional.empty())
                    .restart(SERVER, Optional.empty()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("status 5")
        .hasMessageContaining("no such unit");
  }

  @Test
  void a_place_without_a_value_is_named() {
    var platform =
        new CommandPlatform(
            new Commands(
                new CommandTemplate(List.of("true")),
                new CommandTemplate(List.of("echo", "{rack}")),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1)),
            new TreeMap<>());

    assertThatThrownBy(() -> platform.look(SERVER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("{rack} for server 3");
  }

  @Test
  void the_last_words_are_the_last() {
    assertThat(platform("true", "true", Optional.empty()).lastWords(SERVER, 2))
        .containsExactly("two", "three");
  }
}
