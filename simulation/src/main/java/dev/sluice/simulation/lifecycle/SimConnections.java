package dev.sluice.simulation.lifecycle;

import dev.sluice.simulation.Chance;
import dev.sluice.simulation.VirtualTime;
import java.util.SortedMap;
import java.util.TreeMap;

/** Client connections of one cluster, counted by generation. Some never leave by themselves. */
final class SimConnections {

  private static final int MOST_AT_ONCE = 4;
  private static final int ONE_STUCK_IN = 12;

  private final VirtualTime time;
  private final Chance chance;
  private final SortedMap<Integer, Integer> byGeneration = new TreeMap<>();

  SimConnections(VirtualTime time, Chance chance) {
    this.time = time;
    this.chance = chance;
  }

  int of(int generation) {
    return byGeneration.getOrDefault(generation, 0);
  }

  int total() {
    return byGeneration.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Clients that waited are served. */
  void admit(int generation) {
    int clients = chance.between(0, MOST_AT_ONCE);
    if (clients > 0) {
      byGeneration.merge(generation, clients, Integer::sum);
    }
  }

  /** All of one generation go over to another, one by one. */
  void move(int from, int to, Runnable whenNoneIsLeft) {
    leave(
        () -> of(from),
        () -> {
          close(from);
          byGeneration.merge(to, 1, Integer::sum);
        },
        whenNoneIsLeft);
  }

  /** All of all generations leave, one by one. */
  void quiesce(Runnable whenNoneIsLeft) {
    leave(this::total, () -> close(byGeneration.firstKey()), whenNoneIsLeft);
  }

  /** Closes what is left of a generation and of those before it. */
  void cut(int generation) {
    byGeneration.headMap(generation + 1).clear();
  }

  private interface Count {
    int left();
  }

  private void leave(Count count, Runnable leaveOne, Runnable whenNoneIsLeft) {
    boolean stuck = count.left() > 0 && chance.onceIn(ONE_STUCK_IN);
    if (!stuck) {
      time.after(chance.millis(0, 300), () -> next(count, leaveOne, whenNoneIsLeft));
    }
  }

  private void next(Count count, Runnable leaveOne, Runnable whenNoneIsLeft) {
    if (count.left() == 0) {
      whenNoneIsLeft.run();
      return;
    }
    leaveOne.run();
    leave(count, leaveOne, whenNoneIsLeft);
  }

  private void close(int generation) {
    byGeneration.computeIfPresent(generation, (_, open) -> open == 1 ? null : open - 1);
  }

  @Override
  public String toString() {
    return "connections " + byGeneration;
  }
}
