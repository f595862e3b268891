package dev.sluice.audit.ledger;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Reads the log of the clients in this JVM and writes down whom each line concerns. A line of
 * nobody is kept under {@link #nobody()}. For any threads.
 */
public final class LogWitness implements Consumer<LogLine> {

  private final Map<String, Occurrences> books = new ConcurrentHashMap<>();
  private final Occurrences nobody = new Occurrences();
  private final String own;

  /**
   * @param own what the client ids of all audits begin with: lines of an id that is not registered,
   *     but begins so, are of a witness or of another audit, and left out
   */
  public LogWitness(String own) {
    this.own = own;
  }

  /** From now on lines of this client id, or of ids that begin with it, belong to this book. */
  public void register(String clientId, Occurrences book) {
    books.put(clientId, book);
  }

  /** Where lines go that concern no client. */
  public Occurrences nobody() {
    return nobody;
  }

  @Override
  public void accept(LogLine line) {
    LogReading reading = LogReading.of(line);
    if (reading.noticed().isEmpty()) {
      return;
    }
    String who = reading.client().orElse(line.thread());
    Optional<Occurrences> book = bookOf(who);
    if (book.isEmpty() && who.contains(own)) {
      return;
    }
    for (LogReading.Noticed noticed : reading.noticed()) {
      book.orElse(nobody).noticed(noticed.measure(), noticed.kind());
    }
  }

  private Optional<Occurrences> bookOf(String who) {
    return books.entrySet().stream()
        .filter(entry -> isOf(who, entry.getKey()))
        .max(Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(Map.Entry::getValue);
  }

  /** Threads of Streams and of producers carry the client id somewhere in their name. */
  private static boolean isOf(String who, String clientId) {
    return who.equals(clientId) || who.startsWith(clientId + "-") || who.endsWith("| " + clientId);
  }
}
