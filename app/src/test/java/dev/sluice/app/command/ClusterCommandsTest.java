package dev.sluice.app.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is asked of one virtual cluster, before a management API that answers what a test tells it
 * to.
 */
class ClusterCommandsTest {

  private static final String BEGUN = cluster("initializing", "It is tried again, as asked.");

  /** In milliseconds; less than the 30 s for which the JDK's client keeps a connection. */
  private static final int PATIENCE = 20_000;

  private static final String FAILED = cluster("failed", "port 9192 is taken");

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
  void retry_waits_until_the_cluster_serves() {
    answers.addAll(List.of(FAILED, BEGUN, BEGUN, cluster("serving", "It is set up.")));

    assertThat(ask("retry")).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).contains("orders is serving: It is set up.");
    assertThat(answers).isEmpty();
  }

  @Test
  void a_cluster_that_fails_again_fails_the_command_and_says_why() {
    answers.addAll(List.of(FAILED, BEGUN, cluster("failed", "port 9192 is taken")));

    assertThat(ask("retry")).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("orders is failed: port 9192 is taken");
  }

  @Test
  void drain_tells_how_far_it_has_come_and_what_it_came_to() {
    answers.addAll(
        List.of(
            cluster("serving", "It is set up."),
            leaving("draining", 3),
            leaving("draining", 1),
            cluster("stopped", "No connection is left."),
            left("stopped")));

    assertThat(ask("drain")).isEqualTo(ExitStatus.DONE);
    assertThat(err.toString())
        .as("no line for every change without a terminal")
        .contains("orders: 3 of 3 connections left")
        .doesNotContain("orders: 1 of 3 connections left");
    assertThat(out.toString().lines())
        .containsExactly(
            "orders is stopped: It is told.",
            "  3 connections in 0.3 s: 2 quiesced, 1 forced",
            "  requests answered early 4, refused 0, unanswered 2 (2 FETCH)");
    assertThat(answers).isEmpty();
  }

  @Test
  void restart_waits_until_the_former_generation_is_left() {
    answers.addAll(
        List.of(cluster("serving", "It is set up."), leaving("serving", 2), left("serving")));

    assertThat(ask("restart")).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).startsWith("orders is serving: It is told.");
  }

  @Test
  void start_waits_until_the_cluster_serves() {
    answers.addAll(
        List.of(cluster("stopped", "No connection is left."), BEGUN, cluster("serving", "Up.")));

    assertThat(ask("start")).isEqualTo(ExitStatus.DONE);
  }

  @Test
  void nothing_of_a_command_still_waits_for_the_proxy_once_it_has_ended() throws Exception {
    var callers = new ArrayBlockingQueue<Socket>(1);
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var answering = Thread.ofVirtual().start(() -> callers.add(answered(listener)));

      assertThat(ask(listener.getLocalPort(), "status")).isEqualTo(ExitStatus.DONE);

      answering.join();
      try (var caller = callers.remove()) {
        assertThat(caller.getInputStream().readAllBytes())
            .as("a connection kept for further requests would make the end of the JVM wait")
            .isEmpty();
      }
    }
  }

  @Test
  void programs_get_the_cluster_as_it_is_then() {
    answers.addAll(List.of(cluster("serving", "It is set up."), left("stopped")));

    assertThat(ask("drain", "-o", "json")).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).startsWith("{").contains("\"tookMillis\" : 310");
  }

  /** A caller whose first request has had its answer, and who may go on asking. */
  private static Socket answered(ServerSocket listener) {
    try {
      var caller = listener.accept();
      caller.setSoTimeout(PATIENCE);
      var lines = new BufferedReader(new InputStreamReader(caller.getInputStream(), US_ASCII));
      while (!lines.readLine().isEmpty()) {
        // Of no interest.
      }
      var body = cluster("serving", "It is set up.");
      var head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n";
      caller.getOutputStream().write((head + body).getBytes(US_ASCII));
      return caller;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int ask(String command, String... more) {
    return ask(server.getAddress().getPort(), command, more);
  }

  private int ask(int port, String command, String... more) {
    var terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false);
    var url = "http://127.0.0.1:" + port;
    var arguments = new ArrayList<>(List.of(command, "orders", "--management", url));
    arguments.addAll(List.of(more));
    return CommandLines.of(terminal).execute(arguments.toArray(String[]::new));
  }

  private static String leaving(String state, int left) {
    return with(
        cluster(state, "It goes."),
        "\"drain\":{\"connectionsAtFirst\":3,\"connectionsLeft\":%d}".formatted(left));
  }

  private static String left(String state) {
    return with(
        cluster(state, "It is told."),
        """
        "lastDrain":{"connections":3,"tookMillis":310,"outcomes":{"quiesced":2,"forced":1},
        "answeredEarly":4,"refused":{},"unanswered":{"FETCH":2}}""");
  }

  private static String with(String cluster, String more) {
    return cluster.substring(0, cluster.length() - 1) + "," + more + "}";
  }

  private static String cluster(String state, String reason) {
    return "{\"state\":\"%s\",\"reason\":{\"message\":\"%s\"}}".formatted(state, reason);
  }
}
