package dev.sluice.audit.ledger;

import java.util.List;

/**
 * Whether a run stayed within its limits.
 *
 * @param breaches what did not, in words; empty if all did
 * @param excused what would not have, had it not been the warm-up, in words
 */
public record Verdict(List<String> breaches, List<String> excused) {

  public Verdict {
    breaches = List.copyOf(breaches);
    excused = List.copyOf(excused);
  }

  public boolean passed() {
    return breaches.isEmpty();
  }
}
