package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.integration.GuidePage.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A shell in which what a page says is typed, and what is answered is held against it. {@code
 * sluice} is the distribution there.
 *
 * @param folder where it is opened
 * @param environment variables beside those of this process
 * @param instead what stands in place of the addresses of the pages
 * @param hosts names that lead to this machine in there
 */
record GuideShell(
    Path folder,
    Duration limit,
    Map<String, String> environment,
    Map<String, String> instead,
    Optional<PrivateHosts> hosts) {

  /** How far a drain has come is told each second, of which there may be none. */
  private static final Pattern PROGRESS = Pattern.compile(".* connections left, .*");

  private static final String STATUS = "exit status ";

  /** What pages have people type when something has failed that has not failed here. */
  private static final Set<String> REFUSED = Set.of("sluice retry orders");

  static GuideShell in(Path folder) throws IOException {
    var command = SluiceProcess.home().resolve("bin").resolve("sluice");
    Files.createSymbolicLink(folder.resolve("sluice"), command);
    var environment =
        Map.of(
            "JAVA_HOME",
            System.getProperty("java.home"),
            "PATH",
            folder + ":" + System.getenv("PATH"));
    return new GuideShell(folder, Clients.PATIENCE, environment, Map.of(), Optional.empty());
  }

  GuideShell within(Duration other) {
    return new GuideShell(folder, other, environment, instead, hosts);
  }

  /** Whose {@code sluice} asks there. */
  GuideShell managedAt(String uri) {
    var more = new HashMap<>(environment);
    more.put("SLUICE_MANAGEMENT", uri);
    return new GuideShell(folder, limit, more, instead, hosts)
        .with("localhost:9190", uri.replaceFirst("https?://", ""));
  }

  GuideShell with(String port, int other) {
    return with("localhost:" + port, "localhost:" + other);
  }

  /** With another variable in its environment. */
  GuideShell having(String variable, String value) {
    var more = new HashMap<>(environment);
    more.put(variable, value);
    return new GuideShell(folder, limit, more, instead, hosts);
  }

  /** Where names lead to this machine. */
  GuideShell within(PrivateHosts known) {
    return new GuideShell(folder, limit, environment, instead, Optional.of(known));
  }

  /** What pages say there is something else here. */
  GuideShell with(String there, String here) {
    var more = new HashMap<>(instead);
    more.put(there, here);
    return new GuideShell(folder, limit, environment, more, hosts);
  }

  /**
   * Every line of the answer that the page shows is there, whatever its numbers; where it shows
   * none the command does what it is told to.
   */
  void type(String page, Typed typed) throws IOException, InterruptedException {
    var said = said(typed.command() + "\necho \"" + STATUS + "$?\"");
    if (typed.answer().isEmpty() && !REFUSED.contains(typed.command())) {
      assertThat(said).as("%s: %s", page, typed.command()).endsWith(STATUS + "0\n");
    }
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

  /** The command that runs a program where the names are known. */
  List<String> inThere(List<String> program) {
    return hosts.map(known -> known.command(program)).orElse(program);
  }

  /** All that a command prints, errors in their place. */
  String said(String command) throws IOException, InterruptedException {
    var here = here(command);
    var output = Files.createTempFile(folder, "said", ".txt");
    var process = begin(command, output);
    try {
      process.getOutputStream().close();
      boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as(here + ": " + Files.readString(output)).isTrue();
      return Files.readString(output);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Begins what goes on until it is ended. */
  Process begin(String command, Path output) throws IOException {
    var builder =
        new ProcessBuilder(inThere(List.of("bash", "-c", here(command))))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }

  String here(String command) {
    var here = command;
    for (var each : instead.entrySet()) {
      here = here.replace(each.getKey(), each.getValue());
    }
    return here;
  }
}
