package dev.sluice.planner;

import java.time.Duration;
import java.util.List;

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

  /**
   * Partitions with no more replicas than their minimum take no writes meanwhile.
   *
   * @param named some of them, at most {@link PartitionSafety#NAMED_MAX}
   * @param partitions all of them
   */
  record Unavailable(List<String> named, int partitions, Duration about) implements Notice {
    public Unavailable {
      named = List.copyOf(named);
    }

    @Override
    public String sentence() {
      return "%s with no replica to spare will be unavailable for about %s: %s%s"
          .formatted(
              Said.count(partitions, "partition"),
              Said.duration(about),
              String.join(", ", named),
              partitions > named.size() ? " and " + (partitions - named.size()) + " more" : "");
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
