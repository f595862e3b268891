package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What follows from how a StatefulSet rolls its pods out. */
class StatefulSetsTest {

  private static final String ON_DELETE = "{ type: OnDelete }";
  private static final String ROLLING = "{ type: RollingUpdate }";

  @Test
  void one_that_updates_on_deletion_wants_its_update_revision_everywhere() {
    assertThat(wanted(set(ON_DELETE, "two"))).containsExactly("two", "two", "two");
    assertThat(set(ON_DELETE, "two").forbidden()).isEmpty();
  }

  @Test
  void one_that_rolls_its_pods_itself_is_left_to_it() {
    assertThat(set(ROLLING, "two").forbidden().orElse(""))
        .startsWith("StatefulSet kafka rolls its pods itself");
    assertThat(set(partition(2), "two").forbidden()).isPresent();
    assertThat(set(ROLLING, "one").forbidden()).as("nothing is rolled out").isEmpty();
  }

  @Test
  void pods_that_a_partition_keeps_back_are_made_of_the_revision_before_and_should_be() {
    assertThat(wanted(set(partition(3), "two"))).containsExactly("one", "one", "one");
    assertThat(set(partition(3), "two").forbidden()).isEmpty();
    assertThat(wanted(set(partition(2), "two"))).containsExactly("one", "one", "two");
  }

  @Test
  void a_pod_that_was_updated_before_its_partition_was_raised_is_not_rolled_back() {
    var set = set(partition(3), "two");

    assertThat(set.revisionOf("kafka-6", "two")).contains("two");
    assertThat(set.revisionOf("kafka-4", "one")).contains("one");
  }

  @Test
  void a_definition_that_its_controller_has_not_seen_tells_no_revision_and_forbids() {
    var set = facts(ON_DELETE, "two", 1);

    assertThat(set.revisionOf("kafka-4", "one")).isEmpty();
    assertThat(set.forbidden().orElse("")).contains("has not seen its latest definition yet");
  }

  private static String partition(int of) {
    return "{ type: RollingUpdate, rollingUpdate: { partition: %d } }".formatted(of);
  }

  /** Of its pods, in their order: the first one has another number than nought. */
  private static List<String> wanted(OwnerFacts set) {
    assertThat(set.members()).containsOnlyKeys("kafka-4", "kafka-5", "kafka-6");
    return set.members().keySet().stream()
        .map(pod -> set.revisionOf(pod, "one"))
        .flatMap(Optional::stream)
        .toList();
  }

  private static OwnerFacts set(String strategy, String updateRevision) {
    return facts(strategy, updateRevision, 2);
  }

  private static OwnerFacts facts(String strategy, String updateRevision, int seen) {
    return StatefulSets.facts(
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: { name: kafka, namespace: kafka, generation: 2 }
            spec:
              replicas: 3
              ordinals: { start: 4 }
              updateStrategy: %s
              template: { metadata: { labels: { app: kafka } } }
            status: { observedGeneration: %d, currentRevision: one, updateRevision: %s }
            """
                .formatted(strategy, seen, updateRevision),
            StatefulSet.class));
  }
}
