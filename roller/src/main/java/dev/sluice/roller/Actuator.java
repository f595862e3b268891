package dev.sluice.roller;

import dev.sluice.planner.Plan;
import java.util.List;
import java.util.Optional;

/** Does what was decided. */
public interface Actuator {

  /**
   * Acts on all servers of a batch at once. Comes back when all is done, or after a bound while the
   * rest goes on by itself: what became of it is seen by the next look.
   */
  List<Performed> perform(Plan.Act act) throws InterruptedException;

  /** Gives partitions back to their preferred leaders, as far as possible. */
  void electPreferred(List<Look.Astray> astray) throws InterruptedException;

  /** What a server said last, for a person who has to find out why it does not come back. */
  List<String> lastWords(int server);

  /**
   * What became of an action.
   *
   * @param failure why it failed; empty when it did not, as far as is known
   */
  record Performed(int server, Optional<String> failure) {}
}
