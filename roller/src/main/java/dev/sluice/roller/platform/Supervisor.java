package dev.sluice.roller.platform;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Talks to the process that owns local servers. Each request has a connection of its own over
 * loopback: a line with the token that only the owner of the folder can read, a line with verb,
 * server, limit in milliseconds and number of starts. The answer is {@code ok} and lines, or {@code
 * failed} and why. Thread-safe.
 */
final class Supervisor {

  private static final int CONNECT_MILLIS = 2_000;
  private static final int ANSWER_MILLIS = 5_000;
  private static final String OK = "ok";

  private final Path folder;

  /**
   * @param folder of the cluster, in which the supervisor says where it listens
   */
  Supervisor(Path folder) {
    this.folder = folder;
  }

  List<SupervisorAnswer> facts() throws IOException {
    List<SupervisorAnswer> answers = new ArrayList<>();
    for (String line : ask("facts -1 0 -1", Duration.ZERO)) {
      answers.add(SupervisorAnswer.parse(line));
    }
    return answers;
  }

  /**
   * Stops and starts a server, unless it was started since. The supervisor finishes it even if we
   * are gone.
   *
   * @param limit after which the supervisor kills what did not stop
   * @param ifStarts how often it was started when that was decided
   */
  void restart(int server, Duration limit, int ifStarts) throws IOException {
    ask("restart " + server + " " + limit.toMillis() + " " + ifStarts, limit);
  }

  private List<String> ask(String request, Duration limit) throws IOException {
    Properties address = new Properties();
    try (Reader reader = Files.newBufferedReader(folder.resolve("supervisor.properties"))) {
      address.load(reader);
    } catch (IOException e) {
      throw new IOException(
          "no supervisor of servers in " + folder + ": has its cluster ended?", e);
    }
    try (Socket socket = new Socket()) {
      int port = Integer.parseInt(address.getProperty("port", "0"));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, limit.toMillis() + ANSWER_MILLIS));
      String asked = address.getProperty("token") + "\n" + request + "\n";
      socket.getOutputStream().write(asked.getBytes(StandardCharsets.US_ASCII));
      String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines = said.lines().toList();
      if (lines.isEmpty() || !lines.getFirst().equals(OK)) {
        throw new IOException(
            "the supervisor answered '"
                + (lines.isEmpty() ? "nothing" : lines.getFirst())
                + "' to '"
                + request
                + "'");
      }
      return lines.subList(1, lines.size());
    }
  }
}
