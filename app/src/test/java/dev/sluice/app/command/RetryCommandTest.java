package dev.sluice.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code sluice retry} before a management API that answers what a test tells it to. */
class RetryCommandTest {

  private static final String BEGUN = cluster("initializing", "It is tried again, as asked.");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Queue<String> answers = new ArrayDeque<>();
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/virtual-clusters/orders",
        call -> {
          var body = answers.remove().getBytes(StandardCharsets.UTF_8);
          call.sendResponseHeaders(200, body.length);
          call.getResponseBody().write(body);
          call.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void it_waits_until_the_cluster_serves() {
    answers.addAll(List.of(BEGUN, BEGUN, cluster("serving", "It is set up.")));

    assertThat(retry()).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).contains("orders is serving: It is set up.");
    assertThat(answers).isEmpty();
  }

  @Test
  void a_cluster_that_fails_again_fails_the_command_and_says_why() {
    answers.addAll(List.of(BEGUN, cluster("failed", "port 9192 is taken")));

    assertThat(retry()).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("orders is failed: port 9192 is taken");
  }

  private int retry() {
    var terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false);
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    return CommandLines.of(terminal).execute("retry", "orders", "--management", url);
  }

  private static String cluster(String state, String reason) {
    return "{\"state\":\"%s\",\"reason\":{\"message\":\"%s\"}}".formatted(state, reason);
  }
}
