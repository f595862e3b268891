package dev.sluice.simulation.lifecycle;

import java.util.SortedMap;
import java.util.TreeMap;

/** The generations of one cluster that hold resources, or are acquiring them. */
final class Holdings {

  /** How many resources a generation needs. */
  static final int RESOURCES = 3;

  /** One generation: its resources, one after the other. */
  static final class Held {
    private final int attempt;
    private int acquired;
    private boolean released;

    private Held(int attempt) {
      this.attempt = attempt;
    }

    int attempt() {
      return attempt;
    }

    void acquire() {
      acquired++;
    }

    boolean isComplete() {
      return acquired == RESOURCES;
    }

    boolean isReleased() {
      return released;
    }
  }

  private final SortedMap<Integer, Held> held = new TreeMap<>();

  Held begin(int generation, int attempt) {
    Invariant.RELEASED_ONCE.require(
        !held.containsKey(generation), () -> "generation " + generation + " is set up over itself");
    var fresh = new Held(attempt);
    held.put(generation, fresh);
    return fresh;
  }

  void release(int generation) {
    var gone = held.remove(generation);
    if (gone == null) {
      throw Invariant.RELEASED_ONCE.broken(
          "generation " + generation + " is released, but not held");
    }
    gone.released = true;
  }

  void releaseAll() {
    held.values().forEach(gone -> gone.released = true);
    held.clear();
  }

  boolean isComplete(int generation) {
    var some = held.get(generation);
    return some != null && some.isComplete();
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  int count() {
    return held.size();
  }

  @Override
  public String toString() {
    return held.keySet().toString();
  }
}
