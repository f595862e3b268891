package dev.sluice.lifecycle.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.reload.WayChoice.Because;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** By which way, and why. */
class WayChoiceTest {

  @ParameterizedTest
  @CsvSource({
    "DRAIN_TIMEOUT, IN_PLACE",
    "LIMITS, IN_PLACE",
    "LOGGING, IN_PLACE",
    "CERTIFICATES, IN_PLACE",
    "FILTERS, IN_PLACE",
    "UPSTREAM_ADDRESSES, IN_PLACE",
    "UPSTREAM_TLS, IN_PLACE",
    "GATEWAYS, HANDOVER",
    "AUTHENTICATION, HANDOVER",
    "API_VERSIONS, HANDOVER",
    "NAMES, DRAIN"
  })
  void each_aspect_has_its_least_disruptive_way(Aspect aspect, Way way) {
    assertThat(WayChoice.of(Set.of(aspect), UpstreamIdentity.SAME, Strategy.LEAST_DISRUPTIVE))
        .isEqualTo(new WayChoice(way, Because.OF_WHAT_CHANGED, Set.of(aspect)));
  }

  @Test
  void the_most_demanding_aspect_decides_and_is_named() {
    var choice =
        WayChoice.of(
            EnumSet.of(Aspect.LIMITS, Aspect.GATEWAYS),
            UpstreamIdentity.SAME,
            Strategy.LEAST_DISRUPTIVE);

    assertThat(choice)
        .isEqualTo(new WayChoice(Way.HANDOVER, Because.OF_WHAT_CHANGED, Set.of(Aspect.GATEWAYS)));
    assertThat(choice.sentence()).isEqualTo("gateways changed");
  }

  @Test
  void another_kafka_cluster_is_never_seen_beside_the_old_one() {
    assertThat(behindOtherAddresses(UpstreamIdentity.OTHER))
        .extracting(WayChoice::way, WayChoice::because)
        .containsExactly(Way.DRAIN, Because.ANOTHER_KAFKA_CLUSTER);
  }

  @Test
  void a_kafka_cluster_that_does_not_say_who_it_is_counts_as_another() {
    assertThat(behindOtherAddresses(UpstreamIdentity.UNKNOWN))
        .extracting(WayChoice::way, WayChoice::because)
        .containsExactly(Way.DRAIN, Because.UNKNOWN_KAFKA_CLUSTER);
  }

  @ParameterizedTest
  @EnumSource(UpstreamIdentity.class)
  void whoever_is_behind_unchanged_addresses_is_not_asked(UpstreamIdentity upstream) {
    assertThat(WayChoice.of(Set.of(Aspect.LIMITS), upstream, Strategy.LEAST_DISRUPTIVE).way())
        .isEqualTo(Way.IN_PLACE);
  }

  @ParameterizedTest
  @EnumSource(Aspect.class)
  void the_strategy_drain_drains_always(Aspect aspect) {
    assertThat(WayChoice.of(Set.of(aspect), UpstreamIdentity.SAME, Strategy.DRAIN))
        .isEqualTo(new WayChoice(Way.DRAIN, Because.OF_THE_STRATEGY, Set.of()));
  }

  @Test
  void kafka_clusters_are_told_apart_by_their_ids() {
    assertThat(UpstreamIdentity.of(Optional.of("a"), Optional.of("a")))
        .isEqualTo(UpstreamIdentity.SAME);
    assertThat(UpstreamIdentity.of(Optional.of("a"), Optional.of("b")))
        .isEqualTo(UpstreamIdentity.OTHER);
    assertThat(UpstreamIdentity.of(Optional.of("a"), Optional.empty()))
        .isEqualTo(UpstreamIdentity.UNKNOWN);
    assertThat(UpstreamIdentity.of(Optional.empty(), Optional.of("a")))
        .isEqualTo(UpstreamIdentity.UNKNOWN);
  }

  private static WayChoice behindOtherAddresses(UpstreamIdentity upstream) {
    return WayChoice.of(
        EnumSet.of(Aspect.UPSTREAM_ADDRESSES, Aspect.LIMITS), upstream, Strategy.LEAST_DISRUPTIVE);
  }

  @Test
  void before_anybody_was_asked_an_address_may_lead_to_the_same_kafka_cluster_or_another() {
    assertThat(
            WayChoice.possible(
                Set.of(Aspect.UPSTREAM_ADDRESSES, Aspect.GATEWAYS), Strategy.LEAST_DISRUPTIVE))
        .containsExactly(Way.HANDOVER, Way.DRAIN);
    assertThat(WayChoice.possible(Set.of(Aspect.LIMITS), Strategy.LEAST_DISRUPTIVE))
        .containsExactly(Way.IN_PLACE);
    assertThat(WayChoice.possible(Set.of(Aspect.LIMITS), Strategy.DRAIN))
        .containsExactly(Way.DRAIN);
  }
}
