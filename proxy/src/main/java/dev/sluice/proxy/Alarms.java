package dev.sluice.proxy;

import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The timers of one virtual cluster: at most one of a kind. Belongs to the control thread. */
final class Alarms {

  /** What somebody waits for. */
  enum Kind {
    /** The end of a drain, or for who is left on a former generation. */
    DEADLINE,
    /** The end of the time for which clients are held. */
    HOLD,
    /** The end of the time for which a door is open that was left. */
    LINGERING,
    /** The next automatic retry. */
    RETRY
  }

  private final Engine engine;
  private final Map<Kind, Future<?>> set = new EnumMap<>(Kind.class);

  Alarms(Engine engine) {
    this.engine = engine;
  }

  /** Sets one, in the place of a former one. */
  void set(Kind kind, Instant at, Runnable then) {
    cancel(kind);
    long millis = Math.max(0, Duration.between(engine.clock().instant(), at).toMillis());
    set.put(kind, engine.control().schedule(then, millis, TimeUnit.MILLISECONDS));
  }

  void cancel(Kind kind) {
    var former = set.remove(kind);
    if (former != null) {
      former.cancel(false);
    }
  }

  void cancelAll() {
    for (var kind : Kind.values()) {
      cancel(kind);
    }
  }
}
