package dev.sluice.audit.ledger;

import java.util.HashMap;
import java.util.Map;

/** What one reader saw of one producer, as it came. For any threads. */
public final class SeenLedger {

  private final WrittenLedger written;
  private final SequenceSet seen = new SequenceSet();

  /** The highest number by partition; as many as the topic has. */
  private final Map<Integer, Long> highest = new HashMap<>();

  private final Tally faults = new Tally();
  private Window now = Window.WARMING;

  public SeenLedger(WrittenLedger written) {
    this.written = written;
  }

  /** What is unreadable from now on belongs to this window. */
  public synchronized void enter(Window window) {
    now = window;
  }

  /** A record arrived. What does not carry a stamp of the producer, as sent, is corrupted. */
  public synchronized void saw(int partition, byte[] value) {
    Stamp.read(value)
        .filter(stamp -> stamp.producer().equals(written.producer()))
        .filter(stamp -> SequenceSet.accepts(stamp.sequence()))
        .ifPresentOrElse(stamp -> saw(partition, stamp.sequence()), this::corrupted);
  }

  /** A record arrived whose value was as it was sent. */
  public synchronized void saw(int partition, long sequence) {
    Window window = written.windowOf(sequence);
    if (!seen.add(sequence)) {
      faults.add(Measure.DUPLICATED, window);
      return;
    }
    long before = highest.getOrDefault(partition, -1L);
    if (sequence < before) {
      faults.add(Measure.REORDERED, window);
    } else {
      highest.put(partition, sequence);
    }
  }

  /** A record arrived with other bytes than were sent. */
  public synchronized void corrupted() {
    faults.add(Measure.CORRUPTED, now);
  }

  /** How many different records of the producer were seen. */
  public synchronized long count() {
    return seen.count(0, SequenceSet.MOST_RECORDS);
  }

  /** How many were sent after the last one that was seen. */
  public long behind() {
    long sent = written.sent();
    synchronized (this) {
      return sent - 1 - seen.highest();
    }
  }

  /** How many records that the witness saw are missing here. */
  public long missing(SeenLedger witness) {
    SequenceSet there = witness.seen();
    return there.countWithout(seen(), 0, SequenceSet.MOST_RECORDS);
  }

  synchronized SequenceSet seen() {
    return seen.copy();
  }

  synchronized long faults(Measure measure, Window window) {
    return faults.count(measure, window);
  }

  WrittenLedger written() {
    return written;
  }
}
