package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real {@code ./sluice} in a tree of its own, with a Maven that only makes a distribution. */
class LauncherTest {

  private static final Path REPOSITORY = Path.of("..");

  private static final String MAVEN =
      """
      #!/bin/sh
      echo built >> "$ROOT/builds"
      sleep 0.3
      mkdir -p app/target/sluice-1/bin app/target/sluice-1/lib app/target/sluice-1/conf
      cat > app/target/sluice-1/bin/sluice <<'END'
      #!/bin/sh
      [ "$1" = validate ] && exit 0
      echo "args:$#:$1"
      exit 7
      END
      chmod +x app/target/sluice-1/bin/sluice
      """;

  @TempDir private Path root;

  @BeforeEach
  void copy() throws IOException {
    var scripts = Files.createDirectories(root.resolve("app/src/main/distribution/bin"));
    Files.copy(
        REPOSITORY.resolve("app/src/main/distribution/bin/find-java"),
        scripts.resolve("find-java"));
    Files.copy(REPOSITORY.resolve("sluice"), root.resolve("sluice"));
    Files.writeString(root.resolve("pom.xml"), "<project/>");
    executable(Files.createDirectories(root.resolve("tools")).resolve("mvn"), MAVEN);
  }

  @Test
  void it_builds_once_and_passes_arguments_and_exit_status_through() throws Exception {
    var first = end(start("one argument"));
    var second = end(start("one argument"));

    assertThat(first.status()).isEqualTo(7);
    assertThat(first.said()).contains("sluice: building", "args:1:one argument");
    assertThat(second.said()).isEqualTo("args:1:one argument\n");
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void it_builds_again_when_a_source_is_newer() throws Exception {
    end(start("a"));
    Files.setLastModifiedTime(
        root.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(60)));

    assertThat(end(start("a")).said()).contains("sluice: building");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void several_at_once_build_once() throws Exception {
    var started = new ArrayList<Process>();
    for (int i = 0; i < 3; i++) {
      started.add(start("a"));
    }

    for (var process : started) {
      assertThat(end(process).said()).contains("args:1:a");
    }
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void the_lock_of_a_process_that_is_no_more_is_taken_over() throws Exception {
    var gone = new ProcessBuilder("true").start();
    gone.waitFor();
    var lock = Files.createDirectories(root.resolve("target/launcher/lock"));
    Files.writeString(lock.resolve("pid"), gone.pid() + "\n");

    assertThat(end(start("a")).status()).isEqualTo(7);
  }

  @Test
  void a_build_that_fails_runs_nothing() throws Exception {
    executable(root.resolve("tools/mvn"), "#!/bin/sh\necho broken; exit 1\n");

    var ended = end(start("a"));

    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.said()).contains("broken", "expected the build to succeed");
  }

  private record Run(int status, String said) {}

  private Process start(String argument) throws IOException {
    var builder = new ProcessBuilder(root.resolve("sluice").toString(), argument);
    builder.redirectErrorStream(true);
    var environment = builder.environment();
    environment.put("PATH", root.resolve("tools") + ":" + environment.get("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("ROOT", root.toString());
    return builder.start();
  }

  private static Run end(Process process) throws IOException, InterruptedException {
    try {
      var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return new Run(process.exitValue(), said);
    } finally {
      process.destroyForcibly();
    }
  }

  private int builds() throws IOException {
    return Files.readAllLines(root.resolve("builds")).size();
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
