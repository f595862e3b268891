package dev.sluice.planner;

import java.time.Duration;
import java.util.List;

/** Why to stop. */
public sealed interface HaltReason {

  String sentence();

  /** A server acted upon is not back in time: no second one is risked. */
  record DidNotComeBack(int server, Condition condition, Duration withoutProgress)
      implements HaltReason {
    @Override
    public String sentence() {
      return "server %d did not come back after its restart: no progress for %s; it is %s"
          .formatted(server, Said.duration(withoutProgress), condition.sentence());
    }
  }

  /** The very reason of a restart is there again after it. */
  record Loop(int server, RestartReason reason) implements HaltReason {
    @Override
    public String sentence() {
      return "restarting server %d did not change it: it still %s"
          .formatted(server, reason.sentence());
    }
  }

  /** It was restarted often enough for one kind of reason. */
  record TooManyRestarts(int server, RestartReason reason, int restarts) implements HaltReason {
    @Override
    public String sentence() {
      return "server %d was restarted %d times for one reason, and no more: it %s"
          .formatted(server, restarts, reason.sentence());
    }
  }

  /** A server is down and a restart would not change what it runs: others may go the same way. */
  record DownAndCurrent(int server, Condition condition) implements HaltReason {
    @Override
    public String sentence() {
      return "server %d is %s, and starts from what is desired already; restarting others might lead them the same way"
          .formatted(server, condition.sentence());
    }
  }

  /** Two servers want two values of what the whole cluster shares. */
  record DesiredConflicts(String key, int one, int other) implements HaltReason {
    @Override
    public String sentence() {
      return "servers %d and %d desire different values of %s, of which the cluster has one"
          .formatted(one, other, key);
    }
  }

  /** Something is needed, nothing was allowed, and nothing changed. */
  record NothingMoved(Duration waited, List<Blocked> blocked) implements HaltReason {
    public NothingMoved {
      blocked = List.copyOf(blocked);
    }

    @Override
    public String sentence() {
      return "nothing moved for " + Said.duration(waited) + Blocked.said(blocked);
    }
  }
}
