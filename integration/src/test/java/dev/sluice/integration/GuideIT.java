package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.FreePorts;
import dev.sluice.integration.GuidePage.Typed;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first pages are walked as a newcomer does: every command is typed into a shell, in the order
 * of the page, against one {@code sluice up}, and what is answered has the shape that the page
 * shows. Only ports are others.
 */
class GuideIT {

  private static final int PORTS = 104;
  private static final int OTHER = 100;

  /** How far a drain has come is told each second, of which there may be none. */
  private static final Pattern PROGRESS = Pattern.compile(".* connections left, .*");

  /** What cannot be typed here, and where else it is. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "./sluice up", "this test's stage",
          "./sluice demo", "DemoIT",
          "mvn verify", "the build itself",
          "./sluice proxy -c sluice.yaml", "ProxyProcessIT; it would take the port 9190",
          "source <(sluice completion)", "HelpTest");

  @TempDir private Path folder;
  private int port;
  private String management = "";

  @Test
  void what_the_first_pages_have_people_type_does_what_they_say() throws Exception {
    boolean there = Child.find("kcat").isPresent() && Child.find("curl").isPresent();
    if (!there) {
      System.err.println("SKIPPED: GuideIT, kcat or curl is not installed");
    }
    assumeTrue(there, "kcat or curl is not installed");
    port = FreePorts.inARow(PORTS);
    lay();
    try (var up = SluiceProcess.start("up", "--base-port", "" + port, "--management-port", "0")) {
      up.awaitOutput("Ctrl-C ends all of it.");
      management = UpIT.management(up);
      walk("README.md");
      try (var _ = new Readers()) {
        walk("docs/guide/first-steps.md");
        walk("docs/guide/operate.md");
        walk("docs/guide/troubleshooting.md");
      }
    }
  }

  /** The command where the pages call it, and files where they have people write them. */
  private void lay() throws IOException {
    var command = SluiceProcess.home().resolve("bin").resolve("sluice");
    Files.createSymbolicLink(folder.resolve("sluice"), command);
    var page = Files.readString(Path.of("..", "docs", "guide", "first-steps.md"));
    var yaml = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(yaml.find()).isTrue();
    Files.writeString(folder.resolve("sluice.yaml"), yaml.group(1));
    Files.writeString(folder.resolve("next.yaml"), yaml.group(1));
  }

  private void walk(String name) throws Exception {
    for (var typed : GuidePage.read(name).typed()) {
      if (ELSEWHERE.containsKey(typed.command()) || typed.command().contains("sluice roll ")) {
        continue;
      }
      if (typed.answer().stream().anyMatch(line -> line.contains("taken by process"))) {
        type(name, new Typed("./sluice drain payments", List.of()));
        try (var _ = new ServerSocket(port + OTHER)) {
          type(name, typed);
        }
      } else {
        type(name, typed);
      }
    }
  }

  private void type(String page, Typed typed) throws Exception {
    var said = shell(typed.command());
    var shapes = said.lines().map(GuidePage::shape).toList();
    for (var line : typed.answer()) {
      if (!PROGRESS.matcher(line).matches()) {
        assertThat(shapes)
            .as("%s: %s%nanswered:%n%s", page, typed.command(), said)
            .contains(GuidePage.shape(line));
      }
    }
    assertThat(said)
        .as("%s: %s", page, typed.command())
        .doesNotContain("Unknown option", "not found", "\tat ");
  }

  private String shell(String command) throws IOException, InterruptedException {
    var here =
        command
            .replaceAll("localhost:9190", management.replaceFirst("https?://", ""))
            .replaceAll("localhost:9192", "localhost:" + port)
            .replaceAll("localhost:9292", "localhost:" + (port + OTHER));
    var output = Files.createTempFile(folder, "said", ".txt");
    var builder =
        new ProcessBuilder("bash", "-c", here)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SLUICE_MANAGEMENT", management);
    builder.environment().merge("PATH", folder.toString(), (path, own) -> own + ":" + path);
    var process = builder.start();
    try {
      process.getOutputStream().close();
      boolean ended = process.waitFor(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as(here + ": " + Files.readString(output)).isTrue();
      return Files.readString(output);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Somebody reads through each virtual cluster, so that there are connections to speak of. */
  private final class Readers implements AutoCloseable {

    private final List<Process> readers = new ArrayList<>();

    Readers() throws IOException {
      for (int at : List.of(port, port + OTHER)) {
        readers.add(
            new ProcessBuilder("kcat", "-b", "localhost:" + at, "-C", "-t", "greetings", "-u")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("read-" + at).toFile())
                .start());
      }
      for (int at : List.of(port, port + OTHER)) {
        await("kcat at " + at + " has read")
            .atMost(Clients.PATIENCE)
            .until(() -> Files.readString(folder.resolve("read-" + at)).contains("hello"));
      }
    }

    @Override
    public void close() {
      readers.forEach(Process::destroyForcibly);
    }
  }
}
