package dev.sluice.planner;

import java.util.List;
import java.util.stream.Collectors;

/** Why a server that needs something is not acted upon now. */
public sealed interface Block {

  /** The rule that forbids it. */
  Rule rule();

  /** One clause that follows the server's name. */
  String sentence();

  /**
   * Partitions would have too few in sync.
   *
   * @param named some of them, at most {@link PartitionSafety#NAMED_MAX}
   * @param count all of them
   */
  record PartitionsTooThin(List<PartitionStanding> named, int count) implements Block {
    public PartitionsTooThin {
      named = List.copyOf(named);
    }

    @Override
    public Rule rule() {
      return Rule.PARTITION_MINIMUM;
    }

    @Override
    public String sentence() {
      return "is needed by " + list(named, count);
    }
  }

  /** It may be the last to know what partitions below their minimum have acknowledged (KIP-966). */
  record MayBeLastLeader(List<PartitionStanding> named, int count) implements Block {
    public MayBeLastLeader {
      named = List.copyOf(named);
    }

    @Override
    public Rule rule() {
      return Rule.ELIGIBLE_LEADER;
    }

    @Override
    public String sentence() {
      return "is an eligible leader of " + list(named, count);
    }
  }

  /** Without it too few voters would be caught up. */
  record QuorumTooThin(List<Integer> caughtUp, int voters) implements Block {
    public QuorumTooThin {
      caughtUp = List.copyOf(caughtUp);
    }

    @Override
    public Rule rule() {
      return Rule.QUORUM;
    }

    @Override
    public String sentence() {
      return "is needed by the quorum: of %d voters only %s are caught up and well"
          .formatted(voters, Said.set(caughtUp));
    }
  }

  /** Nothing is restarted while nobody knows whether there is an active controller. */
  record QuorumUnknown(String why) implements Block {
    @Override
    public Rule rule() {
      return Rule.QUORUM;
    }

    @Override
    public String sentence() {
      return "waits until the metadata quorum can be seen: " + why;
    }
  }

  /** Every controller says that there is none. */
  record QuorumLost() implements Block {
    @Override
    public Rule rule() {
      return Rule.QUORUM;
    }

    @Override
    public String sentence() {
      return "waits for an active controller: every controller says that there is none";
    }
  }

  /** The active controller goes last of all controllers: every change of it costs. */
  record ActiveGoesLast(List<Integer> others) implements Block {
    public ActiveGoesLast {
      others = List.copyOf(others);
    }

    @Override
    public Rule rule() {
      return Rule.QUORUM;
    }

    @Override
    public String sentence() {
      return "is the active controller and goes after " + Said.set(others);
    }
  }

  /** Nobody knows what its partitions need. */
  record PartitionsUnknown(String why) implements Block {
    @Override
    public Rule rule() {
      return Rule.PARTITION_MINIMUM;
    }

    @Override
    public String sentence() {
      return "waits until its partitions can be seen: " + why;
    }
  }

  /** The ground moves. */
  record BeingReassigned(String what) implements Block {
    @Override
    public Rule rule() {
      return Rule.REASSIGNMENT;
    }

    @Override
    public String sentence() {
      return "waits for reassignments: " + what;
    }
  }

  /** Its platform would not let it be restarted. */
  record ForbiddenByPlatform(String why) implements Block {
    @Override
    public Rule rule() {
      return Rule.PLATFORM;
    }

    @Override
    public String sentence() {
      return "may not be restarted: " + why;
    }
  }

  /** Its own condition forbids it. */
  record InCondition(Condition condition) implements Block {
    @Override
    public Rule rule() {
      return switch (condition) {
        case Condition.Unknown _ -> Rule.UNKNOWN;
        case Condition.Recovering _ -> Rule.RECOVERING;
        case Condition.Starting _, Condition.CatchingUp _ -> Rule.UNSETTLED;
        case Condition.NotRunning _, Condition.NotReady _, Condition.Steady _ ->
            throw new IllegalArgumentException(
                "expected a condition that forbids to act, found " + condition);
      };
    }

    @Override
    public String sentence() {
      return "is " + condition.sentence();
    }
  }

  /** What it needs is not known. */
  record NeedUnknown(String why) implements Block {
    @Override
    public Rule rule() {
      return Rule.UNKNOWN;
    }

    @Override
    public String sentence() {
      return "may need something: " + why;
    }
  }

  /** A change was made and has not had its time to show. */
  record ChangeUnderWay() implements Block {
    @Override
    public Rule rule() {
      return Rule.UNSETTLED;
    }

    @Override
    public String sentence() {
      return "was changed just now; whether it took effect is read back";
    }
  }

  /** What was planned for it no longer fits what it is. */
  record SomethingElseNow(Stage planned) implements Block {
    @Override
    public Rule rule() {
      return Rule.UNSETTLED;
    }

    @Override
    public String sentence() {
      return "has changed since it was planned to " + planned.sentence();
    }
  }

  /** Each may go, and no longer all together. */
  record NotTogether() implements Block {
    @Override
    public Rule rule() {
      return Rule.PARTITION_MINIMUM;
    }

    @Override
    public String sentence() {
      return "may no longer go together with the others of its batch";
    }
  }

  /** A person froze it. */
  record Frozen() implements Block {
    @Override
    public Rule rule() {
      return Rule.FROZEN;
    }

    @Override
    public String sentence() {
      return "is frozen by policy";
    }
  }

  private static String list(List<PartitionStanding> named, int count) {
    String some = named.stream().map(PartitionStanding::sentence).collect(Collectors.joining("; "));
    return count > named.size() ? some + "; and " + (count - named.size()) + " more" : some;
  }
}
