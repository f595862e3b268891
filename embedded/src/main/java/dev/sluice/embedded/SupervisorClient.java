package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Asks a supervisor. Thread-safe: every request has its own connection. */
final class SupervisorClient {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  /** How long an answer may take beyond the limit that the request itself names. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

  private static final long NO_LIMIT_MILLIS = 0;
  private static final int NO_SERVER = -1;

  private final SupervisorAddress address;

  SupervisorClient(SupervisorAddress address) {
    this.address = address;
  }

  long pid() {
    return address.pid();
  }

  List<ServerFacts> facts() {
    return ask(new SupervisorRequest(SupervisorVerb.FACTS, NO_SERVER, NO_LIMIT_MILLIS)).stream()
        .map(ServerFacts::parse)
        .toList();
  }

  ServerFacts ask(SupervisorVerb verb, int serverId, Duration limit) {
    return ServerFacts.parse(
        ask(new SupervisorRequest(verb, serverId, limit.toMillis())).getFirst());
  }

  void end() {
    ask(new SupervisorRequest(SupervisorVerb.END, NO_SERVER, NO_LIMIT_MILLIS));
  }

  private List<String> ask(SupervisorRequest request) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), address.port()),
          (int) CONNECT_LIMIT.toMillis());
      socket.setSoTimeout((int) (request.limitMillis() + ANSWER_LIMIT.toMillis()));
      String question = address.token() + "\n" + request.line() + "\n";
      socket.getOutputStream().write(question.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return checked(request, answer.lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Expected the supervisor of the servers (process %d, port %d) to answer '%s'; the cluster may have ended"
              .formatted(address.pid(), address.port(), request.line()),
          e);
    }
  }

  private static List<String> checked(SupervisorRequest request, List<String> answer)
      throws IOException {
    if (answer.isEmpty() || !answer.getFirst().equals(SupervisorSocket.OK)) {
      throw new IOException(
          "'%s' was answered with %s"
              .formatted(request.line(), answer.isEmpty() ? "nothing" : answer.getFirst()));
    }
    return answer.subList(1, answer.size());
  }
}
