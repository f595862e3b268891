package dev.sluice.roller;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A journal of JSON lines. A line counts when its end is there: one that was torn off by a crash is
 * cut away before the next is written. Used by one thread, under the cluster's {@link RollLock}.
 */
public final class FileJournal implements Journal {

  /** A journal of more bytes is set aside, once, when a roll begins. */
  public static final long BYTES_MAX = 64L << 20;

  private final ObjectMapper mapper = new ObjectMapper();
  private final JournalLines lines = new JournalLines();
  private final Path file;
  private FileChannel channel;

  private FileJournal(Path file) throws IOException {
    this.file = file;
    channel = open();
    channel.truncate(wholeLines());
    channel.position(channel.size());
    try {
      readLines(file, lines::read, true);
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
    try (var reading = Files.newBufferedReader(file)) {
      for (String line = reading.readLine(); line != null; line = reading.readLine()) {
        Optional<JsonNode> node = parsed(mapper, line);
        if (node.isPresent()) {
          reader.accept(node.get());
        } else if (allWhole || reading.readLine() != null) {
          throw new IOException(
              "expected a line of JSON in the journal at %s, found '%s'; move the file away to begin anew"
                  .formatted(file, line));
        }
      }
    }
  }

  @Override
  public Optional<Unfinished> unfinished() {
    return lines.unfinished();
  }

  @Override
  public void asked(RollRequest request) {
    setAsideWhenLarge();
    append(JournalLines.asked(request));
  }

  @Override
  public void intends(Plan.Act act, Memory before, Memory after) {
    append(JournalLines.acts(act, before, after));
  }

  @Override
  public void ended(Outcome outcome, Instant at) {
    append(JournalLines.ended(outcome, at));
  }

  @Override
  public void close() throws IOException {
    channel.close();
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
    lines.read(line);
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
