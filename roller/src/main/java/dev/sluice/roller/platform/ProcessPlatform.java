package dev.sluice.roller.platform;

import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.Platform;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Servers that are processes of this machine, owned by a supervisor that outlives us. */
public final class ProcessPlatform implements Platform {

  /** As the JVM ends when SIGINT or SIGTERM asks it to. */
  private static final Set<Integer> ASKED_TO_END = Set.of(0, 130, 143);

  private final Path folder;
  private final Supervisor supervisor;
  private final Duration shutdownLimit;
  private final Predicate<String> changesWhileRunning;

  /**
   * @param folder of the cluster
   * @param shutdownLimit how long a controlled shutdown may take before the supervisor kills
   * @param changesWhileRunning keys that are no reason for a restart, because somebody compares and
   *     changes them while the server runs
   */
  public ProcessPlatform(
      Path folder, Duration shutdownLimit, Predicate<String> changesWhileRunning) {
    this.folder = folder;
    this.supervisor = new Supervisor(folder);
    this.shutdownLimit = shutdownLimit;
    this.changesWhileRunning = changesWhileRunning;
  }

  /** All servers of the folder, by their properties. */
  public List<ServerSpec> servers() throws IOException {
    List<ServerSpec> servers = new ArrayList<>();
    for (SupervisorAnswer answer : supervisor.facts()) {
      servers.add(server(answer.server()));
    }
    return servers;
  }

  /** The properties that a server would be started from. */
  public static Path properties(Path folder, int server) {
    return folder(folder, server).properties();
  }

  @Override
  public String name() {
    return "local processes in " + folder;
  }

  @Override
  public PlatformReading look(ServerSpec server) throws IOException {
    SupervisorAnswer answer = answer(server.id());
    ProcessFolder files = folder(folder, server.id());
    boolean started = answer.starts() > 0;
    // A start reads all of the file; only a server that runs can be told the rest.
    Predicate<String> ignored = answer.alive() ? changesWhileRunning : _ -> false;
    return new PlatformReading(
        phase(answer),
        answer.since(),
        answer.alive(), // a process has no readiness test of its own: its port has
        why(answer, files),
        started ? files.revisionRunning(ignored) : "",
        files.revisionDesired(ignored),
        List.of());
  }

  @Override
  public void restart(ServerSpec server, Optional<Instant> process) throws IOException {
    SupervisorAnswer answer = answer(server.id());
    if (process.isEmpty() || process.get().equals(answer.since())) {
      supervisor.restart(server.id(), shutdownLimit, answer.starts());
    }
  }

  @Override
  public List<String> lastWords(ServerSpec server, int most) {
    return folder(folder, server.id()).lastWords(most);
  }

  private SupervisorAnswer answer(int server) throws IOException {
    return supervisor.facts().stream()
        .filter(each -> each.server() == server)
        .findFirst()
        .orElseThrow(() -> new IOException("the supervisor has no server " + server));
  }

  /** A process that ended by itself, and not well, is started by nobody. */
  private static Phase phase(SupervisorAnswer answer) {
    if (answer.alive()) {
      return Phase.RUNNING;
    }
    boolean failed =
        answer.exitStatus().isPresent() && !ASKED_TO_END.contains(answer.exitStatus().getAsInt());
    return failed ? Phase.CANNOT_START : Phase.ABSENT;
  }

  private static String why(SupervisorAnswer answer, ProcessFolder files) {
    if (answer.alive() || answer.exitStatus().isEmpty()) {
      return "";
    }
    return "it ended with status " + answer.exitStatus().getAsInt() + ": " + files.lastError();
  }

  private ServerSpec server(int id) throws IOException {
    Map<String, String> properties = ProcessFolder.read(properties(folder, id));
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (String role : properties.getOrDefault("process.roles", "").split(",", -1)) {
      roles.add(Role.valueOf(role.strip().toUpperCase(Locale.ROOT)));
    }
    Set<String> controllers =
        Set.of(properties.getOrDefault("controller.listener.names", "").split(",", -1));
    boolean broker = roles.contains(Role.BROKER);
    Optional<String> address =
        Arrays.stream(
                properties
                    .getOrDefault("advertised.listeners", properties.getOrDefault("listeners", ""))
                    .split(",", -1))
            .filter(each -> each.contains("://"))
            .filter(each -> controllers.contains(each.split("://", 2)[0]) != broker)
            .map(each -> each.split("://", 2)[1])
            .findFirst();
    return new ServerSpec(id, roles, address);
  }

  private static ProcessFolder folder(Path cluster, int server) {
    return new ProcessFolder(cluster.resolve("server-" + server));
  }
}
