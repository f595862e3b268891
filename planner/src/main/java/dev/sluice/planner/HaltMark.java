package dev.sluice.planner;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How things stood when a roll had halted, for a roller that nobody commands: it begins again only
 * when what stopped it is over, or something else is wanted.
 *
 * @param culprit the server whose state stopped it; empty when it was none, or when its being well
 *     would not change the reason
 * @param blocked whether nothing was allowed
 * @param needs what each server needed then, by id; those that needed nothing are not there
 */
public record HaltMark(
    Optional<Integer> culprit, boolean blocked, SortedMap<Integer, String> needs) {

  public HaltMark {
    needs = Collections.unmodifiableSortedMap(new TreeMap<>(needs));
  }

  /**
   * After a halt.
   *
   * @param since a plan made of a look after it, with nothing remembered
   */
  public static HaltMark of(HaltReason why, Plan since) {
    Optional<Integer> culprit =
        switch (why) {
          case HaltReason.DidNotComeBack(int server, _, _) -> Optional.of(server);
          case HaltReason.DownAndCurrent(int server, _) -> Optional.of(server);
          default -> Optional.empty();
        };
    return new HaltMark(culprit, why instanceof HaltReason.NothingMoved, needs(since));
  }

  /**
   * Whether a roll may begin again.
   *
   * @param now a plan made of a look, with nothing remembered
   */
  public boolean isOver(Plan now) {
    boolean cured =
        culprit.isPresent()
            && now.servers().stream()
                .anyMatch(server -> server.server() == culprit.get() && server.steady());
    boolean free = blocked && !(now instanceof Plan.Hold);
    return cured || free || !needs.equals(needs(now));
  }

  /** What each server needs, by id; those that need nothing are not there. */
  public static SortedMap<Integer, String> needs(Plan plan) {
    SortedMap<Integer, String> needs = new TreeMap<>();
    for (Assessment server : plan.servers()) {
      if (server.need() instanceof Need.Restart || server.need() instanceof Need.Reconfigure) {
        needs.put(server.server(), server.need().sentence());
      }
    }
    return needs;
  }
}
