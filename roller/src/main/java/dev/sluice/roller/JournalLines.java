package dev.sluice.roller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Journal.Unfinished;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lines of a journal, wherever they are kept, and what follows from them. */
public final class JournalLines {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final String KIND = "kind";

  private @Nullable Unfinished last;

  public static ObjectNode asked(RollRequest request) {
    ObjectNode line = NODES.objectNode();
    line.put(KIND, "asked").put("at", request.requestedAt().toString());
    request.reason().ifPresent(reason -> line.put("reason", reason));
    if (!request.servers().isEmpty()) {
      ArrayNode servers = line.putArray("servers");
      request.servers().forEach(servers::add);
    }
    return line;
  }

  /**
   * What is about to be done.
   *
   * @param before what the lines before it tell; {@link Memory#EMPTY} when they are not kept
   */
  public static ObjectNode acts(Plan.Act act, Memory before, Memory after) {
    ObjectNode line = NODES.objectNode();
    line.put(KIND, "acts").put("at", act.at().toString()).put("stage", act.stage().name());
    ObjectNode targets = line.putObject("targets");
    act.targets().forEach((id, need) -> targets.put(Integer.toString(id), need.sentence()));
    ArrayNode exempted = line.putArray("exempted");
    act.exempted().forEach(skipped -> exempted.add(skipped.sentence()));
    line.set("remembered", MemoryJson.changes(before, after));
    return line;
  }

  public static ObjectNode ended(Outcome outcome, Instant at) {
    return NODES
        .objectNode()
        .put(KIND, "ended")
        .put("at", at.toString())
        .put("how", outcome.label())
        .put("sentence", outcome.sentence());
  }

  /** The last roll, unless it came to its end. */
  public Optional<Unfinished> unfinished() {
    return Optional.ofNullable(last);
  }

  /** Takes the next line in. */
  public void read(JsonNode line) {
    Unfinished before = last;
    switch (line.path(KIND).asText()) {
      case "asked" -> last = new Unfinished(request(line), Memory.EMPTY);
      case "acts" -> {
        if (before != null) {
          last =
              new Unfinished(
                  before.request(), MemoryJson.laidOver(before.memory(), line.path("remembered")));
        }
      }
      case "ended" -> {
        switch (line.path("how").asText()) {
          case "finished" -> last = null;
          case "halted" ->
              last = before == null ? null : new Unfinished(before.request(), Memory.EMPTY);
          default -> {} // stopped: it goes on where it was
        }
      }
      default -> {} // of a later version, and not needed to go on
    }
  }

  private static RollRequest request(JsonNode line) {
    Set<Integer> servers = new HashSet<>();
    line.path("servers").forEach(server -> servers.add(server.asInt()));
    return new RollRequest(
        Instant.parse(line.path("at").asText()),
        Optional.ofNullable(line.get("reason")).map(JsonNode::asText),
        servers);
  }
}
