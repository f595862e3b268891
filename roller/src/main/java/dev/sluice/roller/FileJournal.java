package dev.sluice.roller;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Plan;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A journal of JSON lines. A line counts when its end is there: one that was torn off by a crash is
 * cut away before the next is written. Used by one thread, under the cluster's {@link RollLock}.
 */
public final class FileJournal implements Journal {

  /** A journal of more bytes is set aside, once, when a roll begins. */
  public static final long BYTES_MAX = 64L << 20;

  private static final String KIND = "kind";

  private final ObjectMapper mapper = new ObjectMapper();
  private final Path file;
  private FileChannel channel;
  private @Nullable Unfinished last;

  private FileJournal(Path file) throws IOException {
    this.file = file;
    channel = open();
    channel.truncate(wholeLines());
    channel.position(channel.size());
    try {
      readLines(file, this::read, true);
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new IOException(
          "expected lines of a roll in the journal at %s, found one that tells something else (%s); move the file away to begin anew"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /** Opens a journal; makes it, and its folder, when it is missing. */
  public static FileJournal open(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    return new FileJournal(file);
  }

  /** Every line of a journal, the oldest first, for whoever shows it; one may just be written. */
  public static void readLines(Path file, Consumer<JsonNode> reader) throws IOException {
    readLines(file, reader, false);
  }

  private static void readLines(Path file, Consumer<JsonNode> reader, boolean allWhole)
      throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    ObjectMapper mapper = new ObjectMapper();
    try (var lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Optional<JsonNode> node = parsed(mapper, line);
        if (node.isPresent()) {
          reader.accept(node.get());
        } else if (allWhole || lines.readLine() != null) {
          throw new IOException(
              "expected a line of JSON in the journal at %s, found '%s'; move the file away to begin anew"
                  .formatted(file, line));
        }
      }
    }
  }

  @Override
  public Optional<Unfinished> unfinished() {
    return Optional.ofNullable(last);
  }

  @Override
  public void asked(RollRequest request) {
    setAsideWhenLarge();
    ObjectNode line = mapper.createObjectNode();
    line.put(KIND, "asked").put("at", request.requestedAt().toString());
    request.reason().ifPresent(reason -> line.put("reason", reason));
    if (!request.servers().isEmpty()) {
      ArrayNode servers = line.putArray("servers");
      request.servers().forEach(servers::add);
    }
    append(line);
  }

  @Override
  public void intends(Plan.Act act, Memory before, Memory after) {
    ObjectNode line = mapper.createObjectNode();
    line.put(KIND, "acts").put("at", act.at().toString()).put("stage", act.stage().name());
    ObjectNode targets = line.putObject("targets");
    act.targets().forEach((id, need) -> targets.put(Integer.toString(id), need.sentence()));
    ArrayNode exempted = line.putArray("exempted");
    act.exempted().forEach(skipped -> exempted.add(skipped.sentence()));
    line.set("remembered", MemoryJson.changes(before, after));
    append(line);
  }

  @Override
  public void ended(Outcome outcome, Instant at) {
    append(
        mapper
            .createObjectNode()
            .put(KIND, "ended")
            .put("at", at.toString())
            .put("how", outcome.label())
            .put("sentence", outcome.sentence()));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void read(JsonNode line) {
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

  private void append(ObjectNode line) {
    try {
      byte[] bytes = (mapper.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Expected to write to the journal at " + file + "; nothing is done that is not in it", e);
    }
    read(line);
  }

  private void setAsideWhenLarge() {
    try {
      if (channel.size() > BYTES_MAX) {
        channel.close();
        Files.move(
            file,
            file.resolveSibling(file.getFileName() + ".1"),
            StandardCopyOption.REPLACE_EXISTING);
        channel = open();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Expected to set aside the journal at " + file, e);
    }
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private long wholeLines() throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
      long end = bytes.length();
      while (end > 0) {
        bytes.seek(end - 1);
        if (bytes.read() == '\n') {
          break;
        }
        end--;
      }
      return end;
    }
  }

  private static Optional<JsonNode> parsed(ObjectMapper mapper, String line) {
    try {
      return Optional.of(mapper.readTree(line));
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }
}
