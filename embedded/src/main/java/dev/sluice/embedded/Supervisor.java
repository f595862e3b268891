package dev.sluice.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The process that owns the servers of one cluster. It obeys whoever knows its token, and ends with
 * all servers when its standard input ends, that is, when the process that started it is no more.
 *
 * <p>Arguments: the folder of the cluster, and {@code temporary} or {@code kept}.
 */
final class Supervisor {

  private static final int TOKEN_BYTES = 32;

  private final ClusterFolder folder;
  private final boolean temporary;
  private final ServerGuard guard;
  private final Map<Integer, SupervisedServer> servers = new ConcurrentSkipListMap<>();

  private Supervisor(ClusterFolder folder, boolean temporary) throws IOException {
    this.folder = folder;
    this.temporary = temporary;
    this.guard = new ServerGuard(temporary ? folder.root().toString() : "");
  }

  public static void main(String[] arguments) throws IOException {
    var supervisor =
        new Supervisor(new ClusterFolder(Path.of(arguments[0])), arguments[1].equals("temporary"));
    Runtime.getRuntime().addShutdownHook(new Thread(supervisor::end, "end"));
    Thread.ofPlatform().daemon().name("owner-watch").start(Supervisor::endWithOwner);
    byte[] token = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(token);
    try (var socket = new SupervisorSocket(HexFormat.of().formatHex(token), supervisor::obey)) {
      socket.address().write(supervisor.folder.supervisorAddress());
      socket.serve();
    }
  }

  private List<String> obey(SupervisorRequest request) throws IOException, InterruptedException {
    if (request.verb() == SupervisorVerb.END) {
      Thread.ofPlatform().name("end-asked").start(() -> System.exit(0));
      return List.of();
    }
    if (request.verb() == SupervisorVerb.FACTS) {
      return folder.servers().stream()
          .map(server -> supervised(server.id()).facts().line())
          .toList();
    }
    SupervisedServer server = supervised(request.serverId());
    switch (request.verb()) {
      case START -> server.start();
      case STOP -> server.stop(Duration.ofMillis(request.limitMillis()));
      case RESTART -> server.restart(Duration.ofMillis(request.limitMillis()), request.ifStarts());
      case KILL -> server.kill();
      case PAUSE -> server.pause();
      case RESUME -> server.resume();
      case FACTS, END -> throw new IllegalStateException("Answered above");
    }
    return List.of(server.facts().line());
  }

  private SupervisedServer supervised(int id) {
    ServerFolder server = folder.server(id);
    if (!server.properties().toFile().exists()) {
      throw new IllegalArgumentException("Expected the id of a server, found " + id);
    }
    return servers.computeIfAbsent(id, _ -> new SupervisedServer(server, guard));
  }

  /**
   * Kills rather than stops: of a cluster that ends as a whole no client is left to be spared, and
   * Kafka recovers from it. Who wants the servers to stop asks for that before.
   */
  private void end() {
    try {
      for (SupervisedServer server : servers.values()) {
        server.end();
      }
      if (temporary) {
        ClusterFolder.remove(folder.root());
      } else {
        folder.supervisorAddress().toFile().delete();
      }
    } catch (IOException e) {
      System.err.println("Left to the guard: " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void endWithOwner() {
    try (InputStream in = System.in) {
      while (in.read() >= 0) {
        // Nothing is ever sent; only the end matters.
      }
    } catch (IOException _) {
      // As good as the end.
    }
    System.exit(0);
  }
}
