package dev.sluice.roller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Progress;
import dev.sluice.planner.RestartReason;
import dev.sluice.planner.ServerMemory;
import dev.sluice.planner.ServerMemory.Outstanding;
import dev.sluice.planner.reading.PlatformReading.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a roll remembers, as JSON: only the servers of which it changed. */
final class MemoryJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private MemoryJson() {}

  /** What is to be laid over {@code before} to have {@code after}. */
  static ObjectNode changes(Memory before, Memory after) {
    ObjectNode node = NODES.objectNode();
    put(node, "lastActed", after.lastActed());
    put(node, "blockedSince", after.blockedSince());
    ObjectNode servers = node.putObject("servers");
    after
        .servers()
        .forEach(
            (id, server) -> {
              if (!server.equals(before.servers().get(id))) {
                servers.set(Integer.toString(id), write(server));
              }
            });
    return node;
  }

  static Memory laidOver(Memory before, JsonNode changes) {
    SortedMap<Integer, ServerMemory> servers = new TreeMap<>(before.servers());
    changes
        .path("servers")
        .properties()
        .forEach(each -> servers.put(Integer.valueOf(each.getKey()), read(each.getValue())));
    return new Memory(servers, instant(changes, "lastActed"), instant(changes, "blockedSince"));
  }

  private static ObjectNode write(ServerMemory server) {
    ObjectNode node = NODES.objectNode();
    server.outstanding().ifPresent(out -> node.set("outstanding", write(out)));
    ObjectNode restarts = node.putObject("restarts");
    server.restarts().forEach(restarts::put);
    node.set("cured", write(server.cured()));
    node.put("reconfigurations", server.reconfigurations());
    put(node, "reconfiguredAt", server.reconfiguredAt());
    server
        .progress()
        .ifPresent(
            best ->
                node.putObject("progress")
                    .put("stage", best.stage())
                    .put("left", best.left())
                    .put("at", best.at().toString()));
    put(node, "settledSince", server.settledSince());
    node.put("returns", server.returns());
    node.put("returning", server.returning().toString());
    return node;
  }

  private static ServerMemory read(JsonNode node) {
    SortedMap<String, Integer> restarts = new TreeMap<>();
    node.path("restarts")
        .properties()
        .forEach(each -> restarts.put(each.getKey(), each.getValue().asInt()));
    JsonNode progress = node.path("progress");
    return new ServerMemory(
        Optional.of(node.path("outstanding"))
            .filter(JsonNode::isObject)
            .map(MemoryJson::outstanding),
        restarts,
        reasons(node.path("cured")),
        node.path("reconfigurations").asInt(),
        instant(node, "reconfiguredAt"),
        progress.isObject()
            ? Optional.of(
                new Progress(
                    progress.path("stage").asInt(),
                    progress.path("left").asLong(),
                    Instant.parse(progress.path("at").asText())))
            : Optional.empty(),
        instant(node, "settledSince"),
        node.path("returns").asInt(),
        Duration.parse(node.path("returning").asText()));
  }

  private static ObjectNode write(Outstanding out) {
    ObjectNode node = NODES.objectNode();
    node.put("at", out.at().toString());
    put(node, "process", out.process());
    node.set("reasons", write(out.reasons()));
    node.put("lacking", out.lacking());
    return node;
  }

  private static Outstanding outstanding(JsonNode node) {
    return new Outstanding(
        Instant.parse(node.path("at").asText()),
        instant(node, "process"),
        reasons(node.path("reasons")),
        node.path("lacking").asInt());
  }

  private static ArrayNode write(List<RestartReason> reasons) {
    ArrayNode array = NODES.arrayNode();
    for (RestartReason reason : reasons) {
      ObjectNode node = array.addObject();
      switch (reason) {
        case RestartReason.RevisionDiffers(String running, String desired) ->
            node.put("why", "revision").put("running", running).put("desired", desired);
        case RestartReason.KeysDiffer(List<String> keys) ->
            keys.forEach(node.put("why", "keys").putArray("keys")::add);
        case RestartReason.ChangeHadNoEffect(List<String> keys) ->
            keys.forEach(node.put("why", "noEffect").putArray("keys")::add);
        case RestartReason.Asked(Kind by, String detail, Instant at) ->
            node.put("why", "asked")
                .put("by", by.name())
                .put("detail", detail)
                .put("at", at.toString());
        case RestartReason.DoesNotServe(String why) ->
            node.put("why", "doesNotServe").put("detail", why);
      }
    }
    return array;
  }

  private static List<RestartReason> reasons(JsonNode array) {
    List<RestartReason> reasons = new ArrayList<>();
    for (JsonNode node : array) {
      String detail = node.path("detail").asText();
      reasons.add(
          switch (node.path("why").asText()) {
            case "revision" ->
                new RestartReason.RevisionDiffers(
                    node.path("running").asText(), node.path("desired").asText());
            case "keys" -> new RestartReason.KeysDiffer(texts(node.path("keys")));
            case "noEffect" -> new RestartReason.ChangeHadNoEffect(texts(node.path("keys")));
            case "asked" ->
                new RestartReason.Asked(
                    Kind.valueOf(node.path("by").asText()),
                    detail,
                    Instant.parse(node.path("at").asText()));
            case "doesNotServe" -> new RestartReason.DoesNotServe(detail);
            default ->
                throw new IllegalArgumentException(
                    "expected a reason that this version knows, found " + node);
          });
    }
    return reasons;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private static void put(ObjectNode node, String key, Optional<Instant> instant) {
    instant.ifPresent(at -> node.put(key, at.toString()));
  }

  private static Optional<Instant> instant(JsonNode node, String key) {
    return node.hasNonNull(key)
        ? Optional.of(Instant.parse(node.path(key).asText()))
        : Optional.empty();
  }
}
