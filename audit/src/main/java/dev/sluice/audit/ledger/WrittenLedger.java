package dev.sluice.audit.ledger;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

/** What one producer sent, and what was acknowledged to it. For any threads. */
public final class WrittenLedger {

  /** The first number of each window that has begun. */
  private final Map<Window, Long> starts = new EnumMap<>(Map.of(Window.WARMING, 0L));

  private final SequenceSet acknowledged = new SequenceSet();
  private final String producer;
  private long next;

  public WrittenLedger(String producer) {
    this.producer = producer;
  }

  public String producer() {
    return producer;
  }

  /** What is sent from now on belongs to this window. */
  public synchronized void enter(Window window) {
    EnumSet.range(Window.WARMING, window).forEach(begun -> starts.putIfAbsent(begun, next));
  }

  /** A record was given to the client. Numbers may be told in any order. */
  public synchronized void sent(long sequence) {
    if (!SequenceSet.accepts(sequence)) {
      throw new IllegalArgumentException(
          "Expected fewer than %d records of one producer, found number %d; audit for a shorter time or at a lower rate"
              .formatted(SequenceSet.MOST_RECORDS, sequence));
    }
    next = Math.max(next, sequence + 1);
  }

  /** The client said that it is written. */
  public synchronized void acknowledged(long sequence) {
    acknowledged.add(sequence);
  }

  synchronized Window windowOf(long sequence) {
    if (sequence >= startOf(Window.EVENT)) {
      return Window.EVENT;
    }
    return sequence >= startOf(Window.BASELINE) ? Window.BASELINE : Window.WARMING;
  }

  private long startOf(Window window) {
    return starts.getOrDefault(window, Long.MAX_VALUE);
  }

  synchronized long firstOf(Window window) {
    return Math.min(startOf(window), next);
  }

  synchronized long endOf(Window window) {
    return switch (window) {
      case WARMING -> firstOf(Window.BASELINE);
      case BASELINE -> firstOf(Window.EVENT);
      case EVENT -> next;
    };
  }

  /** How many were given to the client so far. */
  public synchronized long sent() {
    return next;
  }

  /** How many were given to the client after the last one that was acknowledged. */
  public synchronized long unanswered() {
    return next - 1 - acknowledged.highest();
  }

  synchronized long acknowledged(Window window) {
    return acknowledged.count(firstOf(window), endOf(window));
  }

  /** How many acknowledged records are missing there. */
  public long acknowledgedWithout(SeenLedger witness) {
    return acknowledged().countWithout(witness.seen(), 0, SequenceSet.MOST_RECORDS);
  }

  synchronized SequenceSet acknowledged() {
    return acknowledged.copy();
  }
}
