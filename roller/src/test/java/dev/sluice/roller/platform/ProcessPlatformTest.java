package dev.sluice.roller.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a supervisor says, and what is in its folder; the real one is met in the tests of rolls. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProcessPlatformTest {

  private static final ServerSpec SERVER = new ServerSpec(3, Set.of(Role.BROKER), Optional.empty());
  private static final String ALIVE =
      "3 99 true false - 2026-01-01T00:00:00Z 1970-01-01T00:00:00Z 2 a b";
  private static final String FAILED =
      "3 99 false false 1 2026-01-01T00:00:00Z 2026-01-01T00:00:05Z 2 a b";
  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private volatile String facts = ALIVE;
  @TempDir private Path folder;
  private ServerSocket socket;

  ProcessPlatformTest() throws IOException {
    socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  @BeforeEach
  void supervise() throws IOException {
    Thread.ofVirtual().start(this::serve);
    Files.writeString(
        folder.resolve("supervisor.properties"),
        "port=" + socket.getLocalPort() + "\ntoken=secret\npid=1\n");
    write("java.args", "x");
    write("started.args", "x");
    write("server.properties", "log.dirs=a\nlog.retention.ms=1\n");
    write("started.properties", "log.dirs=a\nlog.retention.ms=1\n");
  }

  @AfterEach
  void end() throws IOException {
    socket.close();
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve("server-3").resolve(name);
    Files.createDirectories(folder.resolve("server-3"));
    Files.writeString(file, text);
  }

  private void serve() {
    try {
      while (true) {
        try (var connection = socket.accept();
            var in =
                new BufferedReader(
                    new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
          String token = in.readLine();
          String request = in.readLine();
          asked.add(request);
          String answer = "secret".equals(token) ? "ok\n" + facts + "\n" : "";
          connection.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
        }
      }
    } catch (IOException _) {
      // closed
    }
  }

  private ProcessPlatform platform() {
    return new ProcessPlatform(folder, Duration.ofSeconds(7), "log.retention.ms"::equals);
  }

  @Test
  void a_running_server_is_told_with_its_start() throws IOException {
    var reading = platform().look(SERVER);

    assertThat(reading.phase()).isEqualTo(Phase.RUNNING);
    assertThat(reading.since()).isEqualTo(STARTED);
    assertThat(reading.revisionRunning()).isEqualTo(reading.revisionDesired());
  }

  @Test
  void a_key_that_changes_while_running_is_no_reason_to_restart_what_runs() throws IOException {
    write("server.properties", "log.dirs=a\nlog.retention.ms=2\n");
    var reading = platform().look(SERVER);
    assertThat(reading.revisionRunning()).isEqualTo(reading.revisionDesired());

    write("server.properties", "log.dirs=b\nlog.retention.ms=1\n");
    reading = platform().look(SERVER);
    assertThat(reading.revisionRunning()).isNotEqualTo(reading.revisionDesired());
  }

  @Test
  void every_key_counts_of_a_server_that_does_not_run() throws IOException {
    facts = FAILED;
    write("server.properties", "log.dirs=a\nlog.retention.ms=2\n");
    var reading = platform().look(SERVER);

    assertThat(reading.revisionRunning()).isNotEqualTo(reading.revisionDesired());
  }

  @Test
  void a_server_that_failed_cannot_start_and_its_last_error_says_why() throws IOException {
    facts = FAILED;
    write("server.out", "Exception in main: no such thing\n\tat somewhere\n");
    write("server.log", "INFO all is well\n");
    var reading = platform().look(SERVER);

    assertThat(reading.phase()).isEqualTo(Phase.CANNOT_START);
    assertThat(reading.since()).isEqualTo(STARTED.plusSeconds(5));
    assertThat(reading.why()).isEqualTo("it ended with status 1: Exception in main: no such thing");
  }

  @Test
  void a_restart_names_how_often_the_server_was_started() throws IOException {
    platform().restart(SERVER, Optional.of(STARTED));
    assertThat(asked).containsExactly("facts -1 0 -1", "restart 3 7000 2");
  }

  @Test
  void a_server_that_was_restarted_since_is_not_restarted_again() throws IOException {
    platform().restart(SERVER, Optional.of(STARTED.minusSeconds(60)));
    assertThat(asked).containsExactly("facts -1 0 -1");
  }

  @Test
  void a_supervisor_that_is_gone_is_said_to_be() throws IOException {
    Files.delete(folder.resolve("supervisor.properties"));
    assertThatThrownBy(() -> platform().look(SERVER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has its cluster ended?");
  }
}
