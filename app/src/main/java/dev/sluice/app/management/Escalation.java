package dev.sluice.app.management;

import dev.sluice.app.configuration.EscalationSpec;
import dev.sluice.app.configuration.EscalationSpec.Argument;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import dev.sluice.proxy.Metric;
import dev.sluice.proxy.Metric.Label;
import dev.sluice.proxy.ProxyListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells somebody that a virtual cluster has failed: a POST when it enters {@code failed}, and
 * another when its retries are exhausted. Never holds a step up; what cannot be delivered after a
 * few tries is logged and counted.
 */
public final class Escalation implements ProxyListener, AutoCloseable {

  /** Messages that wait for a slow end point; further ones are dropped. */
  static final int MAX_WAITING = 100;

  static final int MAX_TRIES = 3;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  /** A proxy that ends gives what waits so long to get out. */
  private static final Duration LAST_CHANCE = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(Escalation.class);

  private static final List<String> OUTCOMES = List.of("delivered", "failed", "dropped");

  private static final Metric DELIVERIES =
      Metric.counter(
          "sluice.escalations",
          "Messages about failed virtual clusters, by what became of them.",
          "Nobody was told of a failure: `failed` and `dropped` ones never arrived.",
          Label.of("outcome", "what became of it", OUTCOMES.stream()));

  /** All that are built here. */
  public static final List<Metric> METRICS = List.of(DELIVERIES);

  private record Message(String virtualCluster, String body) {}

  private final EscalationSpec spec;
  private final boolean retries;
  private final MeterRegistry registry;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
  private final BlockingQueue<Message> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Thread sender;
  private volatile boolean closing;

  /**
   * @param retries whether failed clusters are retried by themselves, so that they can be exhausted
   */
  public Escalation(EscalationSpec spec, boolean retries, MeterRegistry registry) {
    this.spec = spec;
    this.retries = retries;
    this.registry = registry;
    // A series that appears with its first message is no increase to who watches it.
    OUTCOMES.forEach(outcome -> DELIVERIES.newCounter(outcome).register(registry));
    this.sender = Thread.ofVirtual().name("sluice-escalation").unstarted(this::sendAll);
  }

  /** Begins to send. */
  public void start() {
    sender.start();
  }

  @Override
  public void stepped(Life before, Life after, Step step) {
    // Not every step into failed is somebody's business: see failed.
  }

  @Override
  public void failed(Life life, Failed state) {
    offer(message("failed", life.name(), state));
    if (retries && state.recovery().nextRetry().isEmpty()) {
      offer(message("retries-exhausted", life.name(), state));
    }
  }

  private Message message(String event, String name, Failed failed) {
    var arguments = spec.args().stream().map(a -> argument(a, name, failed)).toArray();
    var node = Json.object();
    node.put("text", spec.messageFormat().formatted(arguments));
    node.put("event", event);
    node.put("virtualCluster", name);
    node.put("at", Json.time(failed.failure().at()));
    node.put("attempts", failed.attempts());
    node.put("code", failed.failure().code());
    node.put("message", failed.failure().cause());
    return new Message(name, Json.text(node));
  }

  private static String argument(Argument argument, String name, Failed failed) {
    return switch (argument) {
      case VIRTUAL_CLUSTER -> name;
      case EXCEPTION_MESSAGE -> failed.failure().cause();
    };
  }

  private void offer(Message message) {
    if (!waiting.offer(message)) {
      count("dropped");
    }
  }

  private void sendAll() {
    try {
      while (!closing || !waiting.isEmpty()) {
        var message = waiting.poll(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        if (message != null) {
          send(message);
        }
      }
    } catch (InterruptedException _) {
      // Closed, and its last chance is over.
    }
  }

  private void send(Message message) throws InterruptedException {
    var pause = FIRST_PAUSE;
    var trouble = "";
    for (int attempt = 1; attempt <= MAX_TRIES; attempt++) {
      trouble = trouble(message);
      if (trouble.isEmpty()) {
        count("delivered");
        return;
      }
      Thread.sleep(pause);
      pause = pause.multipliedBy(2);
    }
    count("failed");
    // The host only: a path or query may hold a secret.
    LOG.atWarn()
        .addKeyValue("virtualCluster", message.virtualCluster())
        .addKeyValue("host", spec.url().getHost())
        .addKeyValue("tries", MAX_TRIES)
        .addKeyValue("found", trouble)
        .log("An escalation could not be delivered");
  }

  /** Empty if it was delivered. */
  private String trouble(Message message) throws InterruptedException {
    var request =
        HttpRequest.newBuilder(spec.url())
            .timeout(REQUEST_TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(message.body()))
            .build();
    try {
      var status = http.send(request, BodyHandlers.discarding()).statusCode();
      return status / 100 == 2 ? "" : "HTTP status " + status;
    } catch (IOException e) {
      return e.getClass().getSimpleName();
    }
  }

  private void count(String outcome) {
    DELIVERIES.newCounter(outcome).register(registry).increment();
  }

  /** Waits a little for what is under way; at most 5 seconds. */
  @Override
  public void close() {
    closing = true;
    try {
      if (!sender.join(LAST_CHANCE)) {
        sender.interrupt();
      }
    } catch (InterruptedException _) {
      sender.interrupt();
      Thread.currentThread().interrupt();
    }
    http.shutdownNow();
  }
}
