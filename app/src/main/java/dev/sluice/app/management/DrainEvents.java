package dev.sluice.app.management;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.proxy.ClusterView;
import dev.sluice.proxy.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells of drains and handovers as they go on: an event {@code drain} whenever one has come
 * further, and {@code drained} with what it came to. Looks a few times a second, on a thread of its
 * own.
 */
final class DrainEvents implements AutoCloseable {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  /** Where events go. */
  interface Audience {
    void tell(String kind, ObjectNode event);
  }

  private final Proxy proxy;
  private final Audience audience;
  private final Map<String, ObjectNode> told = new HashMap<>();
  private final Map<String, ObjectNode> reported = new HashMap<>();
  private final Thread thread;

  DrainEvents(Proxy proxy, Audience audience) {
    this.proxy = proxy;
    this.audience = audience;
    thread = Thread.ofVirtual().name("drain-events").unstarted(this::watch);
  }

  void start() {
    proxy.virtualClusters().forEach(view -> lastOf(view, false));
    thread.start();
  }

  private void watch() {
    try {
      while (true) {
        proxy.virtualClusters().forEach(this::look);
        Thread.sleep(BETWEEN_LOOKS);
      }
    } catch (InterruptedException _) {
      // It ends.
    }
  }

  private void look(ClusterView view) {
    var name = view.life().name();
    var drain = view.drain().map(progress -> DrainJson.put(Json.object(), progress));
    if (drain.isEmpty()) {
      told.remove(name);
    } else if (!drain.get().equals(told.put(name, drain.get()))) {
      tell("drain", name, "drain", drain.get());
    }
    lastOf(view, true);
  }

  private void lastOf(ClusterView view, boolean isNews) {
    var name = view.life().name();
    view.lastDrain()
        .map(DrainJson::of)
        .filter(report -> !report.equals(reported.put(name, report)) && isNews)
        .ifPresent(report -> tell("drained", name, "lastDrain", report));
  }

  private void tell(String kind, String name, String key, ObjectNode value) {
    var event = Json.object().put("virtualCluster", name);
    event.set(key, value);
    audience.tell(kind, event);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
