package dev.sluice.integration;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The distribution, running in a process of its own. Closing kills it if it still runs. */
final class SluiceProcess implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration END_LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final Path output;
  private final Path errors;

  private SluiceProcess(Process process, Path output, Path errors) {
    this.process = process;
    this.output = output;
    this.errors = errors;
  }

  /** Where it was built. */
  static Path home() {
    try (var folders = Files.newDirectoryStream(Path.of("..", "app", "target"), "sluice-*")) {
      for (var folder : folders) {
        if (Files.isExecutable(folder.resolve("bin").resolve("sluice"))) {
          return folder.toRealPath();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(
        "Expected the distribution in app/target, found none; build with -pl integration -am");
  }

  static SluiceProcess start(String... arguments) throws IOException {
    return start(home().resolve("bin").resolve("sluice"), arguments);
  }

  /** With more variables in its environment. */
  static SluiceProcess start(Map<String, String> environment, String... arguments)
      throws IOException {
    return start(environment, home().resolve("bin").resolve("sluice"), arguments);
  }

  static SluiceProcess start(Path script, String... arguments) throws IOException {
    return start(Map.of(), script, arguments);
  }

  /** With these variables in its environment. */
  static SluiceProcess start(Map<String, String> environment, Path script, String... arguments)
      throws IOException {
    var command = new ArrayList<String>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    var output = Files.createTempFile("sluice", ".out");
    var errors = Files.createTempFile("sluice", ".err");
    var builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    return new SluiceProcess(builder.start(), output, errors);
  }

  /** Waits until it has printed something. */
  void awaitOutput(String expected) {
    await(expected)
        .atMost(START_LIMIT)
        .untilAsserted(
            () -> {
              if (!said().contains(expected)) {
                throw new AssertionError("Expected '" + expected + "', it said so far: " + said());
              }
            });
  }

  /** Waits until it has told one of these. */
  void awaitErrors(String... expected) {
    await(String.join(" or ", expected))
        .atMost(START_LIMIT)
        .untilAsserted(
            () -> {
              var said = said();
              if (List.of(expected).stream().noneMatch(said::contains)) {
                throw new AssertionError(
                    "Expected one of " + List.of(expected) + ", it said so far: " + said);
              }
            });
  }

  /** All that it printed, errors last. */
  String said() {
    try {
      return Files.readString(output) + Files.readString(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String out() throws IOException {
    return Files.readString(output);
  }

  long pid() {
    return process.pid();
  }

  /** Every process that it started, and those that these started. */
  List<ProcessHandle> children() {
    return process.toHandle().descendants().toList();
  }

  /** Sends INT, TERM or another signal. */
  void signal(String name) throws InterruptedException {
    Child.run(List.of("kill", "-" + name, Long.toString(process.pid())), "");
  }

  /** Its exit status, once it has ended. */
  int exitStatus() throws InterruptedException {
    return exitStatus(END_LIMIT);
  }

  /** Lets it run for so long, and answers whether it ended meanwhile. */
  boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  int exitStatus(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("Expected it to end, found it running; it said: " + said());
    }
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Files.delete(output);
    Files.delete(errors);
  }
}
