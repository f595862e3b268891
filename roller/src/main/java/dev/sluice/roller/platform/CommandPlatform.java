package dev.sluice.roller.platform;

import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.roller.Platform;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/** Servers that are looked at and restarted by commands, such as {@code ssh} and systemctl. */
public final class CommandPlatform implements Platform {

  private static final String UNTOLD = "";

  private final Commands commands;
  private final SortedMap<Integer, Map<String, String>> values;
  private final Map<Integer, UnderWay> underWay = new ConcurrentHashMap<>();

  /**
   * A restart whose command runs.
   *
   * @param process that is to end; the epoch when none was named
   */
  private record UnderWay(Instant asked, Instant process) {}

  /**
   * @param values what places in commands stand for, by server
   */
  public CommandPlatform(Commands commands, SortedMap<Integer, Map<String, String>> values) {
    this.commands = commands;
    this.values = values;
  }

  /**
   * What is run.
   *
   * @param restart comes back when the server has stopped and begun to start
   * @param status see {@link CommandStatus}
   * @param revision says {@code running=...} and {@code desired=...}; without it nobody compares
   *     definitions, and only a request or the configuration is a reason to restart
   * @param log the last lines of a server's log
   * @param lookLimit for status, revision and log
   * @param restartLimit for restart: longer than a controlled shutdown may take
   */
  public record Commands(
      CommandTemplate restart,
      CommandTemplate status,
      Optional<CommandTemplate> revision,
      Optional<CommandTemplate> log,
      Duration lookLimit,
      Duration restartLimit) {}

  /**
   * Two servers that one command would restart: the places that tell one from the other are
   * missing, and a look at one would be a look at the other.
   *
   * @return which, and the command; empty when each has its own
   */
  public static Optional<String> shared(
      Commands commands, List<ServerSpec> servers, Map<Integer, Map<String, String>> values) {
    for (CommandTemplate template : List.of(commands.restart(), commands.status())) {
      Map<List<String>, Integer> seen = new HashMap<>();
      for (ServerSpec server : servers) {
        try {
          List<String> command = template.of(server, values.getOrDefault(server.id(), Map.of()));
          Integer other = seen.putIfAbsent(command, server.id());
          if (other != null) {
            return Optional.of(
                "servers %d and %d share the command '%s'"
                    .formatted(other, server.id(), String.join(" ", command)));
          }
        } catch (IllegalArgumentException _) {
          // A place without a value is told, with its name, when it is filled.
        }
      }
    }
    return Optional.empty();
  }

  @Override
  public String name() {
    return "commands ("
        + commands.status().words().getFirst()
        + (commands.revision().isPresent() ? ")" : "; revisions are not compared)");
  }

  @Override
  public PlatformReading look(ServerSpec server) throws IOException, InterruptedException {
    CommandStatus status = status(server);
    UnderWay restart = underWay.get(server.id());
    if (restart != null && restart.process().equals(status.since())) {
      // It is neither as it was before nor is anything seen of what is done to it.
      throw new IOException("the command that restarts it runs since " + restart.asked());
    }
    Map<String, String> revision = Map.of();
    if (commands.revision().isPresent()) {
      revision = CommandStatus.pairs(run(commands.revision().get(), server));
      if (!revision.containsKey("desired") || !revision.containsKey("running")) {
        throw new IOException(
            "expected running=... and desired=... of the revision command, found " + revision);
      }
    }
    return new PlatformReading(
        status.phase(),
        status.since(),
        status.ready(),
        status.why(),
        revision.getOrDefault("running", UNTOLD),
        revision.getOrDefault("desired", UNTOLD),
        List.of());
  }

  @Override
  public void restart(ServerSpec server, Optional<Instant> process)
      throws IOException, InterruptedException {
    var begins = new UnderWay(Instant.now(), process.orElse(Instant.EPOCH));
    UnderWay before = underWay.putIfAbsent(server.id(), begins);
    if (before != null) {
      throw new IOException("the command that restarts it runs since " + before.asked());
    }
    try {
      if (process.isPresent() && !process.get().equals(status(server).since())) {
        return; // restarted since
      }
      List<String> command = filled(commands.restart(), server);
      ProgramRun.of(command, commands.restartLimit()).checked(command);
    } finally {
      underWay.remove(server.id(), begins);
    }
  }

  @Override
  public List<String> lastWords(ServerSpec server, int most) {
    if (commands.log().isEmpty()) {
      return List.of();
    }
    try {
      List<String> lines = run(commands.log().get(), server).lines().toList();
      return lines.subList(Math.max(0, lines.size() - most), lines.size());
    } catch (IOException e) {
      return List.of("(its log could not be read: " + e.getMessage() + ")");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** A status command may well end with another status than 0: systemctl does. Its lines count. */
  private CommandStatus status(ServerSpec server) throws IOException, InterruptedException {
    List<String> command = filled(commands.status(), server);
    ProgramRun run = ProgramRun.of(command, commands.lookLimit());
    try {
      return CommandStatus.parse(run.output());
    } catch (IOException e) {
      run.checked(command);
      throw e;
    }
  }

  private String run(CommandTemplate template, ServerSpec server)
      throws IOException, InterruptedException {
    List<String> command = filled(template, server);
    return ProgramRun.of(command, commands.lookLimit()).checked(command);
  }

  private List<String> filled(CommandTemplate template, ServerSpec server) throws IOException {
    try {
      return template.of(server, values.getOrDefault(server.id(), Map.of()));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
