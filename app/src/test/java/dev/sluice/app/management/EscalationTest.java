package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.app.configuration.EscalationSpec;
import dev.sluice.app.configuration.EscalationSpec.Argument;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterState.Barrier;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.Failure;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Recovery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EscalationTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private HttpServer hook;

  @BeforeEach
  void listen() throws IOException {
    hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/",
        call -> {
          var body = new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          var refused = refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
          if (!refused) {
            received.add(body);
          }
          call.sendResponseHeaders(refused ? 500 : 204, -1);
          call.close();
        });
    hook.start();
  }

  @AfterEach
  void stop() {
    hook.stop(0);
  }

  @Test
  void a_failure_is_told_in_the_words_of_the_configuration() {
    escalated(false, new Recovery.RetryAt(NOW));

    assertThat(received)
        .singleElement()
        .asString()
        .contains("\"text\":\"orders failed with the port is busy\"", "\"event\":\"failed\"");
  }

  @Test
  void exhausted_retries_are_told_apart() {
    escalated(true, new Recovery.Exhausted());

    assertThat(received).hasSize(2);
    assertThat(received.get(1)).contains("\"event\":\"retries-exhausted\"");
  }

  @Test
  void an_end_point_that_fails_once_is_tried_again() {
    refusals.set(1);

    escalated(false, new Recovery.Exhausted());

    assertThat(received).hasSize(1);
    assertThat(count("delivered")).isEqualTo(1);
  }

  @Test
  void an_end_point_that_is_down_is_given_up_and_counted() {
    hook.stop(0);

    escalated(false, new Recovery.Exhausted());

    assertThat(count("failed")).isEqualTo(1);
  }

  private void escalated(boolean retries, Recovery recovery) {
    var url = URI.create("http://127.0.0.1:" + hook.getAddress().getPort() + "/hook");
    var args = List.of(Argument.VIRTUAL_CLUSTER, Argument.EXCEPTION_MESSAGE);
    try (var escalation =
        new Escalation(new EscalationSpec(url, "%s failed with %s", args), retries, registry)) {
      escalation.start();
      var before = Life.begin("orders", Barrier.OPEN, NOW).life();
      var failure = new Failure(NOW, 1, 1, "port-busy", "the port is busy");
      var failed = before.on(new PrepareFailed(failure, recovery), NOW);
      escalation.failed(failed.life(), (Failed) failed.life().state());
      await("everything was delivered or given up")
          .atMost(Duration.ofSeconds(60))
          .until(() -> count("delivered") + count("failed") >= expected(retries, recovery));
    }
  }

  private static int expected(boolean retries, Recovery recovery) {
    return retries && recovery instanceof Recovery.Exhausted ? 2 : 1;
  }

  private double count(String outcome) {
    return registry.counter("sluice.escalations", "outcome", outcome).count();
  }
}
