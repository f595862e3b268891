package dev.sluice.app.management;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.app.reload.ReloadListener;
import dev.sluice.app.reload.ReloadResult;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import dev.sluice.proxy.ProxyListener;
import io.javalin.http.Context;
import io.javalin.http.sse.SseClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Server-sent events: first a {@code snapshot}, then a {@code transition} or {@code note} for each
 * step, a {@code reload} for each reload that has ended, and what else is told. Safe for use from
 * every thread; {@link #stepped} never waits.
 */
final class EventStreams implements ProxyListener, ReloadListener, AutoCloseable {

  /** Further clients are refused. */
  static final int MAX_CLIENTS = 100;

  /** For clients that have not been written everything at the end. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMillis(10);

  private record BrowserClient(SseClient client) implements EventStream.Client {

    @Override
    public boolean isGone() {
      return client.terminated();
    }

    @Override
    public void send(EventStream.Event event) {
      client.sendEvent(event.kind(), event.data(), Long.toString(event.id()));
    }

    @Override
    public void remark() {
      client.sendComment("still here");
    }
  }

  private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
  private final AtomicLong ids = new AtomicLong();

  /**
   * A client has come: stays until it goes. The answer of {@code snapshot} is the first that it
   * gets.
   */
  void serve(Context call, Supplier<JsonNode> snapshot) {
    if (streams.size() >= MAX_CLIENTS) {
      throw new ProblemException(
          503,
          "Service Unavailable",
          "Expected at most "
              + MAX_CLIENTS
              + " clients of events, found as many already; try later.");
    }
    call.contentType("text/event-stream; charset=utf-8");
    call.header("Cache-Control", "no-cache").header("X-Accel-Buffering", "no");
    var stream = new EventStream(new BrowserClient(new SseClient(call)));
    streams.add(stream);
    try {
      // Listed first, asked then: a step between the two is in both rather than in neither.
      stream.offer(
          new EventStream.Event(ids.incrementAndGet(), "snapshot", Json.text(snapshot.get())));
      stream.write();
    } finally {
      streams.remove(stream);
    }
  }

  @Override
  public void stepped(Life before, Life after, Step step) {
    switch (step) {
      case Step.Moved _ -> send("transition", before, after, step);
      case Step.Noted _ -> send("note", before, after, step);
      case Step.Stayed _, Step.Refused _ -> {}
    }
  }

  /** Something else has happened. */
  void tell(String kind, ObjectNode node) {
    if (!streams.isEmpty()) {
      var event = new EventStream.Event(ids.incrementAndGet(), kind, Json.text(node));
      streams.forEach(stream -> stream.offer(event));
    }
  }

  private void send(String kind, Life before, Life after, Step step) {
    if (streams.isEmpty()) {
      return;
    }
    var node = Json.object();
    node.put("virtualCluster", after.name());
    node.put("from", before.state().kind().label());
    node.put("to", after.state().kind().label());
    node.put("since", Json.time(after.since()));
    node.put("generation", after.generation());
    node.set("reason", Json.of(step.reason()));
    tell(kind, node);
  }

  @Override
  public void reloaded(ReloadResult result) {
    tell("reload", ReloadJson.of(result));
  }

  /** Closes when all that was told has been written, and does not wait for who takes it slowly. */
  void finish() {
    streams.forEach(EventStream::endWhenWritten);
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!streams.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    close();
  }

  @Override
  public void close() {
    streams.forEach(EventStream::end);
  }
}
