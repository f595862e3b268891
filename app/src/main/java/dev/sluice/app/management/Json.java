package dev.sluice.app.management;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.lifecycle.ClusterState.Draining;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Initializing;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.Failure;
import dev.sluice.lifecycle.History;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Readiness;
import dev.sluice.lifecycle.Reason;
import dev.sluice.lifecycle.Transition;
import dev.sluice.proxy.ClusterView;
import dev.sluice.proxy.Proxy;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;

/** What the management API says, as JSON. The shape is public: see openapi.json. */
final class Json {

  /** How many transitions of each cluster a list of all shows. */
  private static final int LISTED_TRANSITIONS = 10;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static String text(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Milliseconds are enough for people. */
  static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ArrayNode array(Collection<String> texts) {
    var array = MAPPER.createArrayNode();
    texts.forEach(array::add);
    return array;
  }

  /** The proxy and all its virtual clusters, each with its last few transitions. */
  static ObjectNode of(Proxy proxy, Readiness readiness) {
    var node = object();
    node.put("state", proxy.state().label());
    node.put("ready", readiness.ready());
    node.set("reasons", array(readiness.reasons()));
    var clusters = node.putArray("virtualClusters");
    proxy.virtualClusters().forEach(view -> clusters.add(withHistory(view, LISTED_TRANSITIONS)));
    return node;
  }

  /** One virtual cluster, without its history. */
  static ObjectNode of(ClusterView view) {
    var life = view.life();
    var node = object();
    node.put("name", life.name());
    node.put("state", life.state().kind().label());
    node.put("since", time(life.since()));
    node.set("reason", of(life.reason()));
    node.put("generation", life.generation());
    var bootstrap = node.putArray("bootstrapAddresses");
    view.spec().gateways().forEach(gateway -> bootstrap.add(gateway.bootstrapAddress().toString()));
    GatewayJson.put(node, view);
    var target = node.putArray("targetBootstrapServers");
    view.spec().bootstrapServers().forEach(server -> target.add(server.toString()));
    node.put("connections", view.connections());
    node.put("requestsInFlight", view.requestsInFlight());
    addStateFacts(node, life);
    view.drain().ifPresent(drain -> DrainJson.put(node.withObject("/drain"), drain));
    view.lastDrain().ifPresent(report -> node.set("lastDrain", DrainJson.of(report)));
    if (!view.nodesLeftOut().isEmpty()) {
      var leftOut = node.putArray("nodesLeftOut");
      view.nodesLeftOut().forEach(leftOut::add);
    }
    if (!view.lingeringPorts().isEmpty()) {
      var lingering = node.putArray("lingeringPorts");
      view.lingeringPorts()
          .forEach(
              (port, until) -> lingering.addObject().put("port", port).put("until", time(until)));
    }
    life.lastFailure().ifPresent(failure -> node.set("lastFailure", of(failure)));
    life.former()
        .ifPresent(
            former ->
                node.putObject("former")
                    .put("endedAt", time(former.endedAt()))
                    .put("ending", former.ending().label())
                    .set("reason", of(former.reason())));
    return node;
  }

  /** One virtual cluster with all of its history that is kept, oldest first. */
  static ObjectNode withHistory(ClusterView view) {
    return withHistory(view, History.LENGTH);
  }

  private static ObjectNode withHistory(ClusterView view, int most) {
    var node = of(view);
    var history = view.life().history();
    node.put("transitions", history.total());
    var entries = node.putArray("history");
    var kept = history.transitions();
    kept.subList(Math.max(0, kept.size() - most), kept.size())
        .forEach(transition -> entries.add(of(transition)));
    return node;
  }

  static ObjectNode of(Reason reason) {
    return object().put("code", reason.code().label()).put("message", reason.sentence());
  }

  private static void addStateFacts(ObjectNode node, Life life) {
    switch (life.state()) {
      case Initializing initializing -> node.put("attempt", initializing.attempt());
      case Draining draining ->
          node.putObject("drain")
              .put("purpose", draining.purpose().label())
              .put("deadline", time(draining.deadline()));
      case Failed failed -> {
        node.put("attempts", failed.attempts());
        var retry = node.putObject("retry");
        retry.put("exhausted", failed.recovery().nextRetry().isEmpty());
        failed.recovery().nextRetry().ifPresent(at -> retry.put("at", time(at)));
      }
      case Stopped stopped -> node.put("ending", stopped.ending().label());
      case Serving _ -> {}
    }
  }

  private static ObjectNode of(Failure failure) {
    return object()
        .put("at", time(failure.at()))
        .put("generation", failure.generation())
        .put("attempt", failure.attempt())
        .put("code", failure.code())
        .put("message", failure.cause());
  }

  private static ObjectNode of(Transition transition) {
    var node = object();
    node.put("at", time(transition.at()));
    node.put("from", transition.from().label());
    node.put("to", transition.to().label());
    node.put("generation", transition.generation());
    node.set("reason", of(transition.reason()));
    return node;
  }
}
