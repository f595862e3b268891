package dev.sluice.app.reload;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What has become of the latest reloads. Safe for use from every thread. */
final class ReloadResults {

  /** Of how many reloads the results are kept. */
  private static final int MOST_KEPT = 100;

  private final NavigableMap<Long, ReloadResult> kept = new TreeMap<>();
  private final Set<Long> underWay = new TreeSet<>();
  private @Nullable ReloadResult last;

  synchronized void began(long number) {
    underWay.add(number);
  }

  synchronized void ended(ReloadResult result) {
    underWay.remove(result.number());
    kept.put(result.number(), result);
    if (kept.size() > MOST_KEPT) {
      kept.pollFirstEntry();
    }
    last = result;
  }

  /** The last one that has ended. */
  synchronized Optional<ReloadResult> last() {
    return Optional.ofNullable(last);
  }

  /** Empty: it has not ended, was never asked for, or is not kept any more. */
  synchronized Optional<ReloadResult> of(long number) {
    return Optional.ofNullable(kept.get(number));
  }

  /** Whether it was asked for and has not ended. */
  synchronized boolean isUnderWay(long number) {
    return underWay.contains(number);
  }
}
