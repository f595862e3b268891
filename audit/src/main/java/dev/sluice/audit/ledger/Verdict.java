package dev.sluice.audit.ledger;

import java.util.List;

/**
 * Whether a run stayed within its limits.
 *
 * @param breaches what did not, in words; empty if all did
 */
public record Verdict(List<String> breaches) {

  public Verdict {
    breaches = List.copyOf(breaches);
  }

  public boolean passed() {
    return breaches.isEmpty();
  }
}
