package dev.sluice.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What happened in a run: a hash of all of it, and its last lines. */
public final class Trace {

  /** How many lines are kept. */
  public static final int KEPT_LINES = 80;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final Deque<String> last = new ArrayDeque<>();
  private long hash = FNV_OFFSET;

  /** Adds a line. */
  public void note(String line) {
    for (int i = 0; i < line.length(); i++) {
      hash = (hash ^ line.charAt(i)) * FNV_PRIME;
    }
    if (last.size() == KEPT_LINES) {
      last.removeFirst();
    }
    last.addLast(line);
  }

  /** FNV-1a over all lines, as 16 hexadecimal digits: equal for equal runs. */
  public String hash() {
    return String.format("%016x", hash);
  }

  /** The last lines, oldest first. */
  public List<String> lastLines() {
    return List.copyOf(last);
  }
}
