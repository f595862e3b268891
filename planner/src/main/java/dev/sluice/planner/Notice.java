package dev.sluice.planner;

import java.time.Duration;

/** What an action costs although it is allowed. */
public sealed interface Notice {

  String sentence();

  /** A quorum of one or two cannot keep its majority. */
  record NoQuorum(Duration about) implements Notice {
    @Override
    public String sentence() {
      return "no quorum for about " + Said.duration(about);
    }
  }

  /** Partitions with no more replicas than their minimum take no writes meanwhile. */
  record Unavailable(int partitions, Duration about) implements Notice {
    @Override
    public String sentence() {
      return "%s with no replica to spare will be unavailable for about %s"
          .formatted(Said.count(partitions, "partition"), Said.duration(about));
    }
  }

  /** The wanted margin does not fit the replication factor. */
  record MarginReduced(int partitions, int wanted) implements Notice {
    @Override
    public String sentence() {
      return "a margin of %d does not fit the replication factor of %s, which get less"
          .formatted(wanted, Said.count(partitions, "partition"));
    }
  }
}
