package dev.sluice.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Occurrences;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A client that is a program of its own. It never outlives its owner: its input ends with it. */
final class ChildClient implements AuditedClient {

  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(40);

  /** A program's own child may hold its error output open for ever: it is not waited for longer. */
  private static final Duration LAST_WORDS_LIMIT = Duration.ofSeconds(5);

  private final Book book;
  private final ChildProtocol.Start order;
  private final Process process;
  private final Writer commands;
  private final Thread errors;
  private final Thread events;
  private volatile String lastError = "";

  private ChildClient(Book book, ChildProtocol.Start order, Process process) {
    this.book = book;
    this.order = order;
    this.process = process;
    commands = process.outputWriter(UTF_8);
    errors =
        Thread.ofVirtual().name("audit-child-errors " + book.client()).start(this::drainErrors);
    events = Thread.ofVirtual().name("audit-child " + book.client()).start(this::listen);
  }

  /** Starts the program, which then waits for its order. */
  static ChildClient launch(Book book, Path launcher, ChildProtocol.Start order) {
    try {
      return new ChildClient(book, order, new ProcessBuilder(launcher.toString()).start());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Expected %s to start; run audit/clients/setup again".formatted(launcher), e);
    }
  }

  @Override
  public void start() {
    say(order.line());
  }

  @Override
  public void keepTo(int recordsPerSecond) {
    if (book instanceof Channel) {
      say(ChildProtocol.rate(recordsPerSecond));
    }
  }

  @Override
  public void rest() throws InterruptedException {
    switch (book) {
      case Channel channel -> {
        obey();
        channel.noticed().rested(System.nanoTime());
      }
      case ReaderBook reader -> reader.noticed().rested(System.nanoTime());
    }
  }

  @Override
  public void leave() throws InterruptedException {
    try {
      obey();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private void obey() throws InterruptedException {
    if (events.isAlive()) {
      say(ChildProtocol.stop());
      if (!process.waitFor(LEAVE_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        noticed()
            .noticed(
                Measure.EXCEPTIONS, "did not leave within %d s".formatted(LEAVE_LIMIT.toSeconds()));
        process.destroyForcibly();
      }
      events.join(LEAVE_LIMIT);
    }
  }

  private void say(String line) {
    try {
      commands.write(line);
      commands.write('\n');
      commands.flush();
    } catch (IOException e) {
      noticed().noticed(Measure.EXCEPTIONS, "ended by itself: " + lastError);
    }
  }

  private void listen() {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heard(line);
      }
      int status = process.waitFor();
      if (status != 0) {
        errors.join(LAST_WORDS_LIMIT);
        noticed()
            .noticed(Measure.EXCEPTIONS, "ended with status %d: %s".formatted(status, lastError));
      }
    } catch (IOException | InterruptedException e) {
      noticed().exception(e);
    }
  }

  private void heard(String line) {
    try {
      wrote(ChildProtocol.event(line));
    } catch (IllegalArgumentException e) {
      noticed().exception(e);
    }
  }

  private void wrote(ChildEvent event) {
    switch (event) {
      case ChildEvent.Sent sent when book instanceof Channel channel ->
          channel.written().sent(sent.sequence());
      case ChildEvent.Acknowledged answered when book instanceof Channel channel ->
          channel.acknowledged(answered.sequence());
      case ChildEvent.Seen seen when book instanceof ReaderBook reader ->
          reader.saw(seen.partition(), seen.value().getBytes(UTF_8));
      case ChildEvent.Excepted excepted -> noticed().noticed(Measure.EXCEPTIONS, excepted.text());
      case ChildEvent.Logged logged -> logged(logged);
      case ChildEvent.Rebalanced _ -> noticed().noticed(Measure.REBALANCES, "assigned again");
      case ChildEvent.Done _ -> {}
      default -> throw new IllegalArgumentException("Expected no such event here: " + event);
    }
  }

  private void logged(ChildEvent.Logged logged) {
    switch (logged.level()) {
      case INFO -> {}
      case WARN -> noticed().noticed(Measure.WARNINGS, logged.text());
      case ERROR -> noticed().noticed(Measure.ERRORS, logged.text());
    }
  }

  /** What a program writes besides the protocol is kept for the one case that it ends badly. */
  private void drainErrors() {
    try (BufferedReader lines = process.errorReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        lastError = line;
      }
    } catch (IOException e) {
      lastError = e.toString();
    }
  }

  private Occurrences noticed() {
    return book.noticed();
  }
}
