package dev.sluice.lifecycle.doors;

import java.time.Instant;
import java.util.Optional;

/**
 * How it stands with one door that is open.
 *
 * @param names how many generations name it
 * @param gateway whose address it was when somebody was last admitted there; empty: nobody ever was
 * @param until when it is closed at the latest; only of one that lingers, or did until it was named
 *     again by a generation that has not taken over
 */
public record Standing(int names, Optional<String> gateway, Optional<Instant> until) {

  static final Standing NEW = new Standing(0, Optional.empty(), Optional.empty());

  /** Whether some generation wants its clients there. */
  public boolean isNamed() {
    return names > 0;
  }

  /** Whether it is open only for those who do not know yet where else to go. */
  public boolean lingers() {
    return !isNamed() && until.isPresent();
  }

  Standing named() {
    return new Standing(names + 1, gateway, until);
  }

  Standing unnamed() {
    return new Standing(names - 1, gateway, until);
  }

  Standing admittedAs(String gateway) {
    return new Standing(names, Optional.of(gateway), Optional.empty());
  }

  Standing until(Optional<Instant> end) {
    return new Standing(names, gateway, end);
  }
}
