package dev.sluice.planner;

import java.time.Instant;
import java.util.Optional;

/**
 * The best that was seen of a server that is on its way back. Only getting further than ever
 * counts: a server that crashes and starts for ever makes none.
 *
 * @param stage how far it came
 * @param left what was left to do in that stage
 * @param at when it came that far
 */
public record Progress(int stage, long left, Instant at) {

  static Progress none(Instant at) {
    return new Progress(0, Long.MAX_VALUE, at);
  }

  /** What the best is, once a condition was seen. */
  static Optional<Progress> after(Optional<Progress> best, Condition seen, Instant at) {
    int stage = stage(seen);
    if (stage == 0) {
      return best;
    }
    Progress now = new Progress(stage, left(seen), at);
    return best.filter(known -> !now.furtherThan(known)).or(() -> Optional.of(now));
  }

  private boolean furtherThan(Progress other) {
    return stage > other.stage || (stage == other.stage && left < other.left);
  }

  private static int stage(Condition condition) {
    return switch (condition) {
      case Condition.Unknown _, Condition.NotRunning _, Condition.NotReady _ -> 0;
      case Condition.Starting _ -> 1;
      case Condition.Recovering _ -> 2;
      case Condition.CatchingUp _ -> 3;
      case Condition.Steady _ -> 4;
    };
  }

  private static long left(Condition condition) {
    return switch (condition) {
      case Condition.Recovering(int logs, int segments, _) -> ((long) logs << 32) + segments;
      case Condition.CatchingUp(boolean fenced, int lacking, _) ->
          fenced || lacking < 0 ? Long.MAX_VALUE - 1 : lacking;
      case Condition.Unknown _,
          Condition.NotRunning _,
          Condition.Starting _,
          Condition.NotReady _,
          Condition.Steady _ ->
          0;
    };
  }
}
