package dev.sluice.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However owner, supervisor or guard end: no process and no folder stays. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class NothingIsLeftTest {

  private Process owner;
  private EmbeddedCluster cluster;
  private ProcessHandle supervisor;
  private final List<ProcessHandle> descendants = new ArrayList<>();

  @BeforeEach
  void an_owner_has_a_cluster() throws Exception {
    owner =
        new ProcessBuilder(
                JavaArguments.java(),
                "--class-path",
                System.getProperty("java.class.path"),
                OwnerMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Path folder = Path.of(owner.inputReader(StandardCharsets.UTF_8).readLine());
    cluster = EmbeddedCluster.attach(folder);
    supervisor = ProcessHandle.of(cluster.supervisorPid()).orElseThrow();
    owner.descendants().forEach(descendants::add);
    assertThat(descendants)
        .extracting(ProcessHandle::pid)
        .contains(supervisor.pid(), cluster.server(1).pid())
        .hasSize(3);
  }

  @AfterEach
  void end() throws IOException {
    descendants.forEach(ProcessHandle::destroyForcibly);
    owner.destroyForcibly();
    if (cluster != null) {
      ClusterFolder.remove(cluster.folder());
    }
  }

  @Test
  void a_killed_owner_leaves_nothing() {
    owner.destroyForcibly();

    nothingIsLeft();
  }

  @Test
  void an_owner_that_ends_without_closing_leaves_nothing() throws Exception {
    owner.getOutputStream().close();

    nothingIsLeft();
  }

  @Test
  void a_killed_owner_leaves_no_paused_server() {
    cluster.server(1).pause();
    owner.destroyForcibly();

    nothingIsLeft();
  }

  @Test
  void a_killed_supervisor_leaves_nothing() {
    supervisor.destroyForcibly();

    nothingIsLeft();
  }

  @Test
  void a_killed_supervisor_leaves_no_paused_server() {
    cluster.server(1).pause();
    supervisor.destroyForcibly();

    nothingIsLeft();
  }

  @Test
  void a_terminated_supervisor_leaves_nothing() {
    supervisor.destroy();

    nothingIsLeft();
  }

  @Test
  void a_supervisor_and_a_guard_killed_together_leave_no_process() {
    guard().destroyForcibly();
    supervisor.destroyForcibly();

    noProcessIsLeft();
  }

  @Test
  void a_killed_guard_is_replaced() {
    long killed = guard().pid();
    guard().destroyForcibly();

    await().atMost(60, SECONDS).until(() -> guards().stream().anyMatch(g -> g.pid() != killed));
    descendants.addAll(guards());
    cluster.server(1).pause();
    supervisor.destroyForcibly();
    nothingIsLeft();
  }

  private void nothingIsLeft() {
    noProcessIsLeft();
    await().atMost(60, SECONDS).untilAsserted(() -> assertThat(cluster.folder()).doesNotExist());
  }

  private void noProcessIsLeft() {
    await()
        .atMost(60, SECONDS)
        .untilAsserted(() -> assertThat(descendants).noneMatch(NothingIsLeftTest::runs));
  }

  private ProcessHandle guard() {
    return guards().getFirst();
  }

  /** Those that have begun: a process is there before it is what it was started for. */
  private List<ProcessHandle> guards() {
    return supervisor.children().filter(child -> isGuard(child) && runs(child)).toList();
  }

  private static boolean isGuard(ProcessHandle process) {
    return process
        .info()
        .arguments()
        .filter(arguments -> List.of(arguments).contains("sluice-server-guard"))
        .isPresent();
  }

  /** A process that ended and that nobody has collected yet does not run. */
  private static boolean runs(ProcessHandle process) {
    Path status = Path.of("/proc", Long.toString(process.pid()), "stat");
    try {
      return process.isAlive() && !Files.readString(status).contains(") Z ");
    } catch (IOException _) {
      return Files.exists(Path.of("/proc")) ? false : process.isAlive();
    }
  }
}
