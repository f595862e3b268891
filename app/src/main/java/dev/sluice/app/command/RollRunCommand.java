package dev.sluice.app.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.app.management.MetricsFile;
import dev.sluice.app.management.RollJson;
import dev.sluice.app.management.RollMeters;
import dev.sluice.app.management.RollServer;
import dev.sluice.app.run.RollListeners;
import dev.sluice.app.run.RunningRoll;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import dev.sluice.roller.RollLoop;
import dev.sluice.roller.RollRequest;
import dev.sluice.roller.RollScribe;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice roll run}. */
@Command(
    name = "run",
    description = {
      "Roll until every server is as desired, or it is not safe to go on.",
      "Ended in the middle, however that happened, the same command goes on where it was and"
          + " restarts nothing twice. The first SIGINT or SIGTERM stops after the batch under way.",
      "Exit status 0: nothing is left to do; 1: failed, or stopped before; 3: halted for safety."
    },
    footer = {
      "",
      "Examples:",
      "  sluice roll run -c roll.yaml",
      "  sluice roll run -c roll.yaml --reason 'new certificates' --max-parallel 4",
      "  sluice roll run -c roll.yaml --until 06:00 --serve 9191",
      "  sluice roll run -c roll.yaml --metrics-file /var/lib/node-exporter/roll.prom"
    })
final class RollRunCommand implements Callable<Integer> {

  private final Terminal terminal;
  @Mixin private final RollOption roll;
  @Mixin private final OutputOption output = new OutputOption();
  @Spec private CommandSpec command = CommandSpec.create();

  @Option(names = "--dry-run", description = "Only tell what would be done, as 'roll plan' does.")
  private boolean dryRun;

  @Option(
      names = "--until",
      paramLabel = "HH:MM",
      description = "No batch begins after this time of day, in the zone of this machine.")
  private @Nullable String until;

  @Option(names = "--anew", description = "Forget a roll that did not come to its end.")
  private boolean anew;

  @Option(
      names = "--serve",
      paramLabel = "PORT",
      description =
          "Show it at / and answer GET /api/v1/rolls/current and /metrics on this port of 127.0.0.1 meanwhile; 0"
              + " takes a free one.")
  private @Nullable Integer port;

  @Option(
      names = "--metrics-file",
      paramLabel = "FILE",
      description =
          "Keep the metrics in this file, too, for a collector that reads files: it still tells how"
              + " the roll ended when there is nobody to ask.")
  private @Nullable Path metricsFile;

  RollRunCommand(Terminal terminal, Function<String, Optional<String>> environment) {
    this.terminal = terminal;
    this.roll = new RollOption(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    var wish =
        new RunningRoll.Wish(
            roll.reason(),
            roll.servers(),
            roll.maxParallel(),
            Optional.ofNullable(until).map(this::nextTime),
            anew);
    try (var running = RunningRoll.open(roll.configuration(terminal))) {
      return dryRun ? RollPlanCommand.told(running, wish, output, terminal) : run(running, wish);
    } catch (IOException | UncheckedIOException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private int run(RunningRoll running, RunningRoll.Wish wish)
      throws IOException, InterruptedException {
    var scribe = new RollScribe();
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    var listeners = new ArrayList<RollListener>(List.of(scribe, new RollMeters(registry)));
    if (metricsFile != null) {
      listeners.add(new MetricsFile(metricsFile, registry::scrape));
    }
    listeners.add(new RollProgress(terminal));
    terminal.err().println("Kafka cluster " + running.clusterId() + ", " + running.platform());
    var server = server(scribe, registry);
    server.ifPresent(listeners::add);
    try {
      return told(running.run(wish, new RollListeners(listeners), this::began), scribe);
    } finally {
      server.ifPresent(RollServer::close);
    }
  }

  private Optional<RollServer> server(RollScribe scribe, PrometheusMeterRegistry registry) {
    if (port == null) {
      return Optional.empty();
    }
    var server = RollServer.start(port, scribe, registry::scrape);
    terminal
        .err()
        .println(
            "http://127.0.0.1:%1$d shows what it does, http://127.0.0.1:%1$d/api/v1/rolls/current tells it"
                .formatted(server.port()));
    return Optional.of(server);
  }

  private void began(RollRequest request, boolean resumed, RollLoop loop) {
    RunningRoll.obeySignals(loop);
    if (resumed) {
      terminal
          .err()
          .println(
              "Going on with the roll asked for at "
                  + request.requestedAt()
                  + "; --anew begins another.");
    }
  }

  private int told(Outcome outcome, RollScribe scribe) {
    var current = scribe.current();
    if (output.form() == OutputOption.Form.table) {
      current.ifPresent(
          last -> {
            RollTable.of(last.plan().servers()).forEach(terminal.out()::println);
            RollTable.of(last.report()).forEach(terminal.out()::println);
          });
      terminal.out().println(outcome.sentence());
      if (outcome instanceof Outcome.Halted(_, var lastWords)) {
        lastWords.forEach(
            (id, lines) -> {
              terminal.out().println("the last that server " + id + " said:");
              lines.forEach(line -> terminal.out().println("  " + line));
            });
      }
    } else {
      terminal
          .out()
          .println(
              output.text(
                  current.map(RollJson::of).orElseGet(JsonNodeFactory.instance::objectNode)));
    }
    return switch (outcome) {
      case Outcome.Finished _ -> ExitStatus.DONE;
      case Outcome.Halted _ -> ExitStatus.HALTED_FOR_SAFETY;
      case Outcome.Stopped _ -> ExitStatus.FAILED;
    };
  }

  private Instant nextTime(String text) {
    try {
      var now = ZonedDateTime.now(ZoneId.systemDefault());
      var today = now.with(LocalTime.parse(text));
      return (today.isAfter(now) ? today : today.plusDays(1)).toInstant();
    } catch (DateTimeParseException e) {
      throw new ParameterException(
          command.commandLine(),
          "Expected a time of day such as 06:00 with --until, found '" + text + "'.",
          e);
    }
  }
}
