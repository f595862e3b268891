package dev.sluice.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program that a test runs to its end. It is killed when it takes longer than patience allows.
 *
 * @param exitStatus as the program gave it
 * @param output what it printed, standard error included
 */
record Child(int exitStatus, String output) {

  /** Runs a program; {@code input} goes to its standard input. */
  static Child run(List<String> command, String input) throws InterruptedException {
    try {
      var output = Files.createTempFile("sluice-child", ".out");
      try {
        return run(command, input, output);
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("could not run " + command, e);
    }
  }

  private static Child run(List<String> command, String input, Path output)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      try (var stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      }
      if (!process.waitFor(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(command + " did not end; it printed: " + Files.readString(output));
      }
      return new Child(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }

  /** A main class of Kafka's own tools, in a JVM with the class path of this one. */
  static Child kafkaTool(String mainClass, String input, String... arguments)
      throws InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass);
    command.addAll(List.of(arguments));
    return run(command, input);
  }

  /** Where a program is on the path; empty where it is not installed. */
  static Optional<Path> find(String program) {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":", -1)).stream()
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
