package dev.sluice.kubernetes;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.kubernetes.Api.Kind;
import dev.sluice.planner.HaltMark;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Journal;
import dev.sluice.roller.JournalLines;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollRequest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The journal of the last roll in a ConfigMap, so that whoever takes over goes on where it was.
 * Every line is written on the condition that nobody else has written: two rollers that both
 * believe in their right stumble here before they act. Used by one thread, under the lease.
 */
public final class ConfigMapJournal implements Journal {

  /** Of an object etcd takes 1.5 MB; with what the API server adds, this is well below. */
  static final int BYTES_MAX = 900_000;

  /** The most lines that are kept of one roll, for people: what is remembered is in the last. */
  static final int LINES_MAX = 300;

  private static final String DATA = "journal.jsonl";
  private static final String REMEMBERED = "remembered";
  private static final String KIND = "kind";
  private static final String MARK = "mark";

  private final ObjectMapper mapper = new ObjectMapper();
  private final JournalLines state = new JournalLines();
  private final List<ObjectNode> lines = new ArrayList<>();
  private final Api api;
  private final String name;
  private @Nullable ConfigMap written;

  private ConfigMapJournal(Api api, String clusterId) throws IOException {
    this.api = api;
    this.name = RollNames.of(clusterId);
    this.written = api.get(Kind.CONFIG_MAPS, name, ConfigMap.class).orElse(null);
    String text =
        written == null || written.getData() == null
            ? ""
            : written.getData().getOrDefault(DATA, "");
    try {
      for (String line : text.lines().toList()) {
        ObjectNode node = (ObjectNode) mapper.readTree(line);
        lines.add(node);
        state.read(node);
      }
    } catch (JsonProcessingException | ClassCastException | DateTimeException e) {
      throw new IOException(
          "expected lines of a roll in ConfigMap %s of namespace %s, found something else (%s); delete it to begin anew"
              .formatted(name, api.namespace(), e.getMessage()),
          e);
    }
  }

  static ConfigMapJournal open(Api api, String clusterId) throws IOException {
    return new ConfigMapJournal(api, clusterId);
  }

  /** Every line, the oldest first. */
  public List<JsonNode> lines() {
    return List.copyOf(lines);
  }

  @Override
  public Optional<Unfinished> unfinished() {
    return state.unfinished();
  }

  @Override
  public void asked(RollRequest request) {
    lines.clear();
    append(JournalLines.asked(request));
  }

  @Override
  public void intends(Plan.Act act, Memory before, Memory after) {
    lines.forEach(line -> line.remove(REMEMBERED));
    append(JournalLines.acts(act, Memory.EMPTY, after));
  }

  @Override
  public void ended(Outcome outcome, Instant at) {
    append(JournalLines.ended(outcome, at));
  }

  /** Whether the last roll halted, and nobody has begun another one. */
  public boolean halted() {
    return lines.stream()
        .filter(line -> line.path(KIND).asText().equals("ended"))
        .reduce((_, later) -> later)
        .filter(line -> line.path("how").asText().equals("halted"))
        .isPresent();
  }

  /** How things stood then; empty when that was not written down. */
  public Optional<HaltMark> mark() {
    return lines.stream()
        .filter(line -> line.path(KIND).asText().equals(MARK))
        .reduce((_, later) -> later)
        .map(ConfigMapJournal::mark);
  }

  private static HaltMark mark(JsonNode line) {
    SortedMap<Integer, String> needs = new TreeMap<>();
    line.path("needs")
        .properties()
        .forEach(each -> needs.put(Integer.valueOf(each.getKey()), each.getValue().asText()));
    return new HaltMark(
        Optional.ofNullable(line.get("culprit")).map(JsonNode::asInt),
        line.path("blocked").asBoolean(),
        needs);
  }

  public void marked(HaltMark mark) {
    ObjectNode line = mapper.createObjectNode().put(KIND, MARK).put("blocked", mark.blocked());
    mark.culprit().ifPresent(server -> line.put("culprit", server));
    ObjectNode needs = line.putObject("needs");
    mark.needs().forEach((id, need) -> needs.put(Integer.toString(id), need));
    append(line);
  }

  private void append(ObjectNode line) {
    lines.add(line);
    while (lines.size() > LINES_MAX) {
      lines.remove(1); // the first says what was asked for
    }
    try {
      written = write(text());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Expected to write the journal to ConfigMap %s of namespace %s (%s); nothing is done that is not in it"
              .formatted(name, api.namespace(), e.getMessage()),
          e);
    }
    state.read(line);
  }

  private String text() throws IOException {
    StringBuilder text = new StringBuilder();
    for (ObjectNode each : lines) {
      text.append(mapper.writeValueAsString(each)).append('\n');
    }
    if (text.toString().getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
      throw new IOException(
          "expected at most "
              + BYTES_MAX
              + " bytes, found more; delete the ConfigMap to begin anew");
    }
    return text.toString();
  }

  private ConfigMap write(String text) throws ApiException {
    if (written == null) {
      ConfigMap first =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withName(name)
              .withNamespace(api.namespace())
              .addToLabels("app.kubernetes.io/managed-by", "sluice")
              .endMetadata()
              .withData(Map.of(DATA, text))
              .build();
      return api.create(Kind.CONFIG_MAPS, first, ConfigMap.class);
    }
    ConfigMap next = new ConfigMapBuilder(requireNonNull(written)).addToData(DATA, text).build();
    return api.replace(Kind.CONFIG_MAPS, next, ConfigMap.class);
  }

  @Override
  public void close() {
    // nothing is open between two requests
  }
}
