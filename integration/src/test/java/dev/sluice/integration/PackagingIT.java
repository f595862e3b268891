package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes beside the program is tried by the tools that it is for; no container engine is. */
@Tag("acceptance")
class PackagingIT {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path MONITORING = ROOT.resolve("monitoring");
  private static final Path UNITS = ROOT.resolve("app/src/main/distribution/systemd");
  private static final Path DOCKERFILE = ROOT.resolve("build/Dockerfile");
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"");

  private static final String A_CONFIGURATION =
      """
      management: { port: 0 }
      virtualClusters:
        - name: orders
          targetCluster: { bootstrapServers: "127.0.0.1:1" }
          gateways: [ { name: local, portIdentifiesNode: { bootstrapAddress: "127.0.0.1:%d", nodeIdRanges: [ { name: all, start: 0, end: 0 } ] } } ]
      """;

  @TempDir private Path folder;

  @Test
  void alerts_are_accepted_by_prometheus_and_fire_when_they_should() throws Exception {
    var promtool = tool("promtool", "prometheus");

    var checked = Child.run(List.of(promtool, "check", "rules", alerts()), "");
    assertThat(checked.exitStatus()).as(checked.output()).isZero();
    var tests = "test/prometheus-alerts-test.yaml";
    var tested =
        Child.run(List.of(promtool, "test", "rules", MONITORING.resolve(tests).toString()), "");
    assertThat(tested.exitStatus()).as(tested.output()).isZero();
    var all =
        Pattern.compile("alert: (\\w+)").matcher(Files.readString(Path.of(alerts()))).results();
    var fired = Files.readString(MONITORING.resolve(tests));
    assertThat(all.map(alert -> alert.group(1)))
        .as("alerts, each of which fires in a test")
        .isNotEmpty()
        .allMatch(name -> fired.contains("alertname: " + name + "\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sluice-proxy.service", "sluice-roll.service"})
  void systemd_accepts_a_unit(String name) throws Exception {
    var systemd = tool("systemd-analyze", "systemd");
    var unit =
        Files.readString(UNITS.resolve(name)).replace("/opt/sluice", SluiceProcess.home() + "");
    var here = Files.writeString(folder.resolve(name), unit);

    var verified = Child.run(List.of(systemd, "verify", "--man=no", here.toString()), "");
    assertThat(verified.exitStatus()).as(verified.output()).isZero();
    assertThat(verified.output()).as("warnings").isEmpty();
    var mistaken = Files.writeString(here, unit.replace("KillMode=mixed", "KillMode=sometimes"));
    assertThat(Child.run(List.of(systemd, "verify", "--man=no", mistaken.toString()), "").output())
        .contains("sometimes");
  }

  @Test
  void fish_completes_commands_and_options() throws Exception {
    var fish = tool("fish", "fish");
    var script = folder.resolve("sluice.fish");
    Files.writeString(script, RollBench.told(List.of("completion", "fish")));

    assertThat(completed(fish, script, "sluice ro")).contains("roll\t");
    assertThat(completed(fish, script, "sluice roll pl"))
        .contains("plan\tTell how every server is");
    assertThat(completed(fish, script, "sluice roll plan --rea")).contains("--reason\t");
    assertThat(completed(fish, script, "sluice status -o ya")).contains("yaml");
    assertThat(completed(fish, script, "sluice status --rea")).doesNotContain("--reason");
  }

  private static String completed(String fish, Path script, String line) throws Exception {
    var asked = "source '%s'; complete -C '%s'".formatted(script, line);
    return Child.run(List.of(fish, "--no-config", "-c", asked), "").output();
  }

  /** Step by step, with a folder in place of the root of its files. */
  @Test
  void the_steps_of_the_image_lead_to_a_proxy_that_starts_and_ends_when_told_to() throws Exception {
    var root = Files.createDirectories(folder.resolve("root"));
    var start = new HashMap<String, List<String>>();
    for (var step : Files.readAllLines(DOCKERFILE)) {
      var words = step.split(" ", 2);
      switch (words[0]) {
        case "#" -> {}
        case "FROM" -> assertThat(words[1]).matches("eclipse-temurin:25-jdk");
        case "ADD" -> add(words[1].split(" ", -1), root);
        case "RUN" -> shell(root, under(root, words[1]));
        case "USER" -> assertThat(Files.readAllLines(root.resolve("users"))).contains(words[1]);
        case "ENTRYPOINT", "CMD" -> start.put(words[0], quoted(words[1]));
        default -> throw new AssertionError("Expected a step that is known here, found " + step);
      }
    }
    var command = new ArrayList<>(start.getOrDefault("ENTRYPOINT", List.of()));
    command.addAll(start.getOrDefault("CMD", List.of()));
    command.replaceAll(word -> under(root, word));
    var configuration = Path.of(command.getLast());
    Files.createDirectories(Optional.ofNullable(configuration.getParent()).orElseThrow());
    Files.writeString(configuration, A_CONFIGURATION.formatted(FreePorts.inARow(2)));
    startsAndEnds(Path.of(command.getFirst()), command.subList(1, command.size()));
  }

  /** An archive is unpacked, as ADD does. */
  private void add(String[] fromTo, Path root) throws Exception {
    var home = SluiceProcess.home();
    var context = Files.createDirectories(folder.resolve("context"));
    var archive = context.resolve(home.getFileName() + ".tar.gz");
    shell(
        root,
        "tar czf '%s' --exclude '*.aot' -C '%s' '%s'"
            .formatted(archive, home.getParent(), home.getFileName()));
    var into = under(root, fromTo[1]);
    shell(
        root, "mkdir -p '%s' && tar xzf '%s'/%s -C '%s'".formatted(into, context, fromTo[0], into));
  }

  @Test
  void an_image_with_a_runtime_of_its_own_needs_no_jdk() throws Exception {
    var root = Files.createDirectories(folder.resolve("root"));
    shell(root, "'" + ROOT.resolve("build/image") + "'");
    var image = ROOT.resolve("app/target/image").resolve(SluiceProcess.home().getFileName());
    var file = folder.resolve("proxy.yaml");
    Files.writeString(file, A_CONFIGURATION.formatted(FreePorts.inARow(2)));

    var java = startsAndEnds(image.resolve("bin/sluice"), List.of("proxy", "-c", file.toString()));
    assertThat(java).startsWith(image.toString());
    assertThat(image.resolveSibling(image.getFileName() + "-image.tar.gz")).isNotEmptyFile();
  }

  /** The script replaces itself by the JVM, so that a signal reaches that. */
  private static String startsAndEnds(Path script, List<String> arguments) throws Exception {
    try (var proxy = SluiceProcess.start(script, arguments.toArray(String[]::new))) {
      proxy.awaitErrors("Management API listens");
      var java = ProcessHandle.of(proxy.pid()).flatMap(own -> own.info().command()).orElse("");
      assertThat(java).endsWith("/java");
      proxy.signal("TERM");
      assertThat(proxy.exitStatus()).as(proxy.said()).isZero();
      return java;
    }
  }

  private void shell(Path root, String command) throws Exception {
    var programs = Files.createDirectories(folder.resolve("programs"));
    // Makes nobody, and remembers whom.
    var useradd =
        Files.writeString(
            programs.resolve("useradd"),
            "#!/bin/sh\nfor name; do :; done; echo \"$name\" >> '" + root + "/users'\n");
    assertThat(useradd.toFile().setExecutable(true)).isTrue();
    var output = folder.resolve("said.txt");
    var builder =
        new ProcessBuilder("bash", "-c", command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().merge("PATH", programs.toString(), (path, own) -> own + ":" + path);
    var process = builder.start();
    try {
      boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(ended).as(command + ": " + Files.readString(output)).isTrue();
      assertThat(process.exitValue()).as(command + ": " + Files.readString(output)).isZero();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String under(Path root, String command) {
    return command.replaceAll("(^|[ '])(/opt/|/etc/)", "$1" + root + "$2");
  }

  private static List<String> quoted(String words) {
    return WORD.matcher(words).results().map(word -> word.group(1)).toList();
  }

  private static String alerts() {
    return MONITORING.resolve("prometheus-alerts.yaml").toString();
  }

  /** Where a tool is; where it is not the test is skipped, and a line says so. */
  private static String tool(String name, String debianPackage) {
    var program = Child.find(name);
    if (program.isEmpty()) {
      System.err.printf(
          "SKIPPED: PackagingIT, %s is not installed (Debian package %s)%n", name, debianPackage);
    }
    assumeTrue(program.isPresent(), name);
    return program.orElseThrow().toString();
  }
}
