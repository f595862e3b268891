package dev.sluice.integration;

import dev.sluice.protocol.Endpoint;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;

/** Runs {@link AbuserInChild}. */
final class AbuserProcess implements AutoCloseable {

  /** What came of an abuse. */
  record Counts(long attempts, long connections) {}

  private final Process process;
  private final BufferedReader told;
  private final Writer says;
  private final Endpoint moody;

  AbuserProcess() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                AbuserInChild.class.getName())
            .redirectError(Redirect.INHERIT)
            .start();
    told = process.inputReader();
    says = process.outputWriter();
    moody = RunningProxy.endpoints(answer()).getFirst();
  }

  long pid() {
    return process.pid();
  }

  /** Where its upstream is that is no broker. */
  Endpoint moody() {
    return moody;
  }

  void begin(Abuse abuse, Targets at) throws IOException {
    say(abuse.name() + " " + at.words());
    var _ = answer();
  }

  Counts end() throws IOException {
    say("");
    var words = answer().split(" ", -1);
    return new Counts(Long.parseLong(words[0]), Long.parseLong(words[1]));
  }

  private void say(String line) throws IOException {
    says.write(line + "\n");
    says.flush();
  }

  private String answer() throws IOException {
    var line = told.readLine();
    if (line == null) {
      throw new IOException("Expected a line of the abuser, found that it has ended");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
