package dev.sluice.lifecycle.reload;

import dev.sluice.lifecycle.ClusterState.Way;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * By which way a cluster switches, and why.
 *
 * @param aspects that made it so; empty where {@code because} says it all
 */
public record WayChoice(Way way, Because because, Set<Aspect> aspects) {

  /** What decided. */
  public enum Because {
    /** What changed asks for this way, and for no more. */
    OF_WHAT_CHANGED,
    /** Behind it is another Kafka cluster. */
    ANOTHER_KAFKA_CLUSTER,
    /** Its addresses changed, and nobody there said which Kafka cluster it is. */
    UNKNOWN_KAFKA_CLUSTER,
    /** {@code reload.strategy} is drain. */
    OF_THE_STRATEGY
  }

  public WayChoice {
    aspects = Collections.unmodifiableSet(new TreeSet<>(aspects));
  }

  /**
   * The least disruptive way that is correct. Never fails.
   *
   * @param changed at least one
   * @param upstream counts only where the upstream addresses changed
   */
  public static WayChoice of(Set<Aspect> changed, UpstreamIdentity upstream, Strategy strategy) {
    if (changed.contains(Aspect.UPSTREAM_ADDRESSES) && upstream != UpstreamIdentity.SAME) {
      return new WayChoice(
          Way.DRAIN,
          upstream == UpstreamIdentity.OTHER
              ? Because.ANOTHER_KAFKA_CLUSTER
              : Because.UNKNOWN_KAFKA_CLUSTER,
          Set.of(Aspect.UPSTREAM_ADDRESSES));
    }
    if (strategy == Strategy.DRAIN) {
      return new WayChoice(Way.DRAIN, Because.OF_THE_STRATEGY, Set.of());
    }
    var way = changed.stream().map(Aspect::leastWay).max(Way::compareTo).orElse(Way.IN_PLACE);
    var decisive =
        changed.stream().filter(one -> one.leastWay() == way).collect(Collectors.toSet());
    return new WayChoice(way, Because.OF_WHAT_CHANGED, decisive);
  }

  /** The ways that it may come to: which Kafka cluster is there is asked when it is prepared. */
  public static List<Way> possible(Set<Aspect> changed, Strategy strategy) {
    return Stream.of(UpstreamIdentity.SAME, UpstreamIdentity.OTHER)
        .map(upstream -> of(changed, upstream, strategy).way())
        .distinct()
        .toList();
  }

  /** Why, for a person. */
  public String sentence() {
    return switch (because) {
      case OF_WHAT_CHANGED ->
          aspects.stream().map(Aspect::label).collect(Collectors.joining(", ")) + " changed";
      case ANOTHER_KAFKA_CLUSTER -> "another Kafka cluster is behind it";
      case UNKNOWN_KAFKA_CLUSTER ->
          "its upstream addresses changed, and which Kafka cluster is there could not be asked";
      case OF_THE_STRATEGY -> "reload.strategy is drain";
    };
  }
}
