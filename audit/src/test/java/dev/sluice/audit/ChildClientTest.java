package dev.sluice.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A child is a small shell program here: it says what a client program says. */
class ChildClientTest {

  private static final ChildProtocol.Start ORDER =
      new ChildProtocol.Start("producer", "localhost:1", "t", "c", "p", 1, 1, Optional.empty());

  @TempDir Path folder;

  private final Channel channel = Channel.of("t", "p");

  @Test
  void what_a_program_tells_is_in_its_book() throws Exception {
    run(
        """
        read order
        echo '{"event":"sent","seq":0}'
        echo '{"event":"acked","seq":0}'
        echo '{"event":"log","level":"WARN","text":"slow"}'
        read stop
        echo '{"event":"done"}'
        """);

    var report = channel.report();
    assertThat(report.total(Measure.ACKNOWLEDGED)).isEqualTo(1);
    assertThat(report.total(Measure.LOST)).isEqualTo(1);
    assertThat(report.total(Measure.WARNINGS)).isEqualTo(1);
    assertThat(report.total(Measure.EXCEPTIONS)).isZero();
  }

  @Test
  void a_program_that_dies_is_an_exception_with_its_last_words() throws Exception {
    run("read order; echo '{\"event\":\"sent\",\"seq\":0}'; echo 'cannot go on' >&2; exit 7");

    assertThat(channel.noticed().kinds(Window.WARMING).toString())
        .contains("ended with status 7: cannot go on");
  }

  @Test
  void last_words_that_arrive_after_the_end_are_waited_for() throws Exception {
    run(
        """
        read order
        echo '{"event":"sent","seq":0}'
        (exec >&-; sleep 0.5; echo 'cannot go on' >&2) &
        exit 7
        """);

    assertThat(channel.noticed().kinds(Window.WARMING).toString())
        .contains("ended with status 7: cannot go on");
  }

  @Test
  void what_is_not_of_the_protocol_is_an_exception() throws Exception {
    run("read order; echo '{\"event\":\"sent\",\"seq\":0}'; echo Traceback; read stop");

    assertThat(channel.report().total(Measure.EXCEPTIONS)).isEqualTo(1);
  }

  @Test
  void a_client_that_is_not_set_up_is_skipped_and_said() throws Exception {
    var crew =
        new Crew(
            AuditPlan.of("localhost:1").withClients(Selection.parse("others")).withPrograms(folder),
            RunName.any());

    assertThat(crew.books()).isEmpty();
    assertThat(crew.skipped())
        .hasSize(ChildProgram.values().length)
        .allSatisfy(line -> assertThat(line).contains("run audit/clients/setup"));
    crew.removeTopics();
  }

  private void run(String script) throws IOException, InterruptedException {
    Path launcher =
        Files.createFile(
            folder.resolve("client"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(launcher, "#!/bin/sh\n" + script);
    var client = ChildClient.launch(channel, launcher, ORDER);
    client.start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> channel.written().sent(), sent -> sent > 0);
    client.rest();
    client.leave();
  }
}
