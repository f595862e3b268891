package dev.sluice.lifecycle;

import java.util.ArrayList;
import java.util.List;

/**
 * The last {@link #LENGTH} transitions of a life, oldest first.
 *
 * @param transitions oldest first
 * @param total how many there have been since the life began
 */
public record History(List<Transition> transitions, long total) {

  /** How many transitions are kept. */
  public static final int LENGTH = 100;

  /** Of a life that begins. */
  public static final History EMPTY = new History(List.of(), 0);

  public History {
    transitions = List.copyOf(transitions);
  }

  History with(Transition next) {
    var kept = new ArrayList<>(transitions);
    if (kept.size() == LENGTH) {
      kept.removeFirst();
    }
    kept.add(next);
    return new History(kept, total + 1);
  }
}
