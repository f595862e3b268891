package dev.sluice.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.configuration.Actual;
import dev.sluice.planner.configuration.ActualEntry;
import dev.sluice.planner.configuration.ActualEntry.Source;
import dev.sluice.planner.configuration.Desired;
import dev.sluice.planner.configuration.Differences;
import dev.sluice.planner.configuration.KeyTable;
import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.configuration.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What differs in a configuration, and what that means: 3.4 of the checklist. */
class ParityConfigurationTest {

  private static final String OVERRIDDEN = "log.retention.ms";

  private final Map<String, String> desired = new TreeMap<>();
  private final Map<String, ActualEntry> actual = new TreeMap<>();

  private static KeyTable table() {
    try (InputStream in =
        ParityConfigurationTest.class.getResourceAsStream("configuration/kafka-4.4.0.tsv")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return KeyTable.parse(text.lines().toList());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private ParityConfigurationTest want(String key, String value) {
    desired.put(key, value);
    return this;
  }

  private ParityConfigurationTest have(String key, String value, Source source) {
    actual.put(key, new ActualEntry(value, source));
    return this;
  }

  private ParityConfigurationTest have(String key, String value) {
    return have(key, value, Source.STATIC);
  }

  private Differences differ(boolean broker, boolean controller) {
    return Differences.between(Desired.of(desired), Actual.of(actual, broker, controller), table());
  }

  private Differences onBroker() {
    return differ(true, false);
  }

  private Differences onController() {
    return differ(false, true);
  }

  private Differences onCombined() {
    return differ(true, true);
  }

  private static Operation.Set set(String key, Scope scope, String value) {
    return new Operation.Set(key, scope, value, false);
  }

  @Test
  @Parity({
    "3.4 custom property added",
    "3.4 custom property removed",
    "3.4 custom property kept",
    "3.4 custom property changed"
  })
  void a_key_that_kafka_does_not_know_never_counts() {
    assertThat(want("my.plugin.key", "1").onBroker()).isEqualTo(Differences.NONE);
    assertThat(have("my.plugin.key", "2").onBroker()).isEqualTo(Differences.NONE);
    desired.clear();
    assertThat(onBroker()).isEqualTo(Differences.NONE);
  }

  @Test
  @Parity("3.4 changed present value")
  void a_key_of_the_cluster_is_set_for_the_cluster() {
    assertThat(want("min.insync.replicas", "1").have("min.insync.replicas", "2").onBroker())
        .isEqualTo(
            new Differences(
                List.of(set("min.insync.replicas", Scope.CLUSTER_WIDE, "1")),
                List.of(),
                List.of()));
  }

  @Test
  @Parity("3.4 changed present value to default")
  void nothing_desired_is_the_same_as_the_default() {
    assertThat(have("min.insync.replicas", "1").onBroker()).isEqualTo(Differences.NONE);
  }

  @Test
  @Parity("3.4 controller configuration on a broker")
  void a_key_that_only_controllers_act_on_does_not_count_on_a_broker() {
    assertThat(quorumKey().onBroker()).isEqualTo(Differences.NONE);
  }

  @Test
  @Parity("3.4 controller configuration on a combined server")
  void a_key_that_only_controllers_act_on_counts_on_a_combined_server() {
    assertThat(quorumKey().onCombined().readOnly())
        .containsExactly("controller.quorum.fetch.timeout.ms");
  }

  @Test
  @Parity("3.4 controller configuration on a controller")
  void a_key_that_only_controllers_act_on_counts_on_a_controller() {
    assertThat(quorumKey().onController().readOnly())
        .containsExactly("controller.quorum.fetch.timeout.ms");
  }

  private ParityConfigurationTest quorumKey() {
    return want("controller.quorum.fetch.timeout.ms", "5000")
        .have("controller.quorum.fetch.timeout.ms", "2000", Source.DEFAULT);
  }

  @Test
  @Parity("3.4 broker configuration on a combined server")
  void a_key_of_brokers_counts_on_a_combined_server() {
    assertThat(want("log.retention.hours", "72").onCombined().readOnly())
        .containsExactly("log.retention.hours");
  }

  @Test
  @Parity("3.4 broker configuration on a controller")
  void a_key_of_brokers_does_not_count_on_a_controller() {
    assertThat(want("log.retention.hours", "72").onController()).isEqualTo(Differences.NONE);
  }

  @Test
  @Parity("3.4 dynamic configuration of a controller")
  void a_controller_takes_changes_while_running() {
    Differences differ = want("max.connections", "1000").onController();
    assertThat(differ.readOnly()).isEmpty();
    assertThat(differ.operations())
        .containsExactly(set("max.connections", Scope.CLUSTER_WIDE, "1000"));
  }

  @Test
  @Parity({
    "3.4 advertised listener on a broker",
    "3.4 advertised listener on a controller",
    "3.4 advertised listener on a combined server",
    "3.4 advertised listener from nothing to default",
    "3.4 advertised listener from non-default to default"
  })
  void what_makes_a_server_this_server_never_counts() {
    want("advertised.listeners", "PLAIN://a:1").want("node.id", "5").have("node.id", "6");
    assertThat(onBroker()).isEqualTo(Differences.NONE);
    assertThat(onController()).isEqualTo(Differences.NONE);
    assertThat(onCombined()).isEqualTo(Differences.NONE);
    desired.clear();
    assertThat(have("advertised.listeners", "PLAIN://a:1").onBroker()).isEqualTo(Differences.NONE);
  }

  @Test
  @Parity({"3.4 log directories changed", "3.4 log directories from non-default to default"})
  void other_log_directories_need_a_restart() {
    assertThat(want("log.dirs", "/b").have("log.dirs", "/a").onBroker().readOnly())
        .containsExactly("log.dirs");
    desired.clear();
    assertThat(onBroker().readOnly()).containsExactly("log.dirs");
  }

  @Test
  @Parity({"3.4 log directories from default to default", "3.4 log directories unchanged"})
  void the_same_log_directories_are_no_difference() {
    assertThat(want("log.dirs", "/a, /b").have("log.dirs", "/a,/b").onBroker())
        .isEqualTo(Differences.NONE);
    desired.clear();
    actual.clear();
    assertThat(have("log.dir", "/tmp/kafka-logs", Source.DEFAULT).onBroker())
        .isEqualTo(Differences.NONE);
  }

  @Test
  @Parity("3.4 inter-broker listener name changed")
  void another_inter_broker_listener_needs_a_restart() {
    assertThat(
            want("inter.broker.listener.name", "B")
                .have("inter.broker.listener.name", "A")
                .onBroker()
                .readOnly())
        .containsExactly("inter.broker.listener.name");
  }

  @Test
  @Parity({
    "3.4 listener security protocol map changed",
    "3.4 listener security protocol map from non-default"
  })
  void another_map_of_protocols_is_set_at_the_broker() {
    String key = "listener.security.protocol.map";
    assertThat(want(key, "A:SSL").have(key, "A:PLAINTEXT").onBroker().operations())
        .containsExactly(set(key, Scope.PER_BROKER, "A:SSL"));
    actual.clear();
    assertThat(have(key, "A:PLAINTEXT", Source.DYNAMIC_BROKER).onBroker().operations())
        .containsExactly(set(key, Scope.PER_BROKER, "A:SSL"));
  }

  @Test
  @Parity("3.4 more properties changed")
  void every_key_that_differs_is_named() {
    Differences differ =
        want("auto.create.topics.enable", "false")
            .want("log.retention.hours", "1")
            .want("num.partitions", "5")
            .onBroker();
    assertThat(differ.readOnly())
        .containsExactly("auto.create.topics.enable", "log.retention.hours", "num.partitions");
    assertThat(differ.count()).isEqualTo(3);
  }

  @Test
  @Parity("3.4 default property removed that is not at its default")
  void a_static_value_that_is_not_desired_needs_a_start_without_it() {
    assertThat(have("log.retention.hours", "1").onBroker().readOnly())
        .containsExactly("log.retention.hours");
  }

  @Test
  @Parity("3.4 cluster-wide changed")
  void two_keys_of_the_cluster_are_two_operations_for_the_cluster() {
    assertThat(
            want("min.insync.replicas", "1")
                .want("log.retention.bytes", "5")
                .have("min.insync.replicas", "2")
                .onBroker()
                .operations())
        .extracting(Operation::scope)
        .containsExactly(Scope.CLUSTER_WIDE, Scope.CLUSTER_WIDE);
  }

  @Test
  @Parity("3.4 properties of all scopes changed")
  void keys_of_all_scopes_are_kept_apart() {
    Differences differ =
        want("min.insync.replicas", "2")
            .want("log.retention.bytes", "5")
            .want("listener.security.protocol.map", "A:SSL")
            .want("num.partitions", "5")
            .onBroker();
    assertThat(differ.operations())
        .extracting(Operation::scope)
        .containsExactlyInAnyOrder(Scope.CLUSTER_WIDE, Scope.CLUSTER_WIDE, Scope.PER_BROKER);
    assertThat(differ.readOnly()).containsExactly("num.partitions");
    assertThat(differ.count()).isEqualTo(4);
  }

  @Test
  @Parity("3.4 metrics reporter configuration equal")
  void equal_texts_are_no_difference() {
    assertThat(want("metric.reporters", "a.B").have("metric.reporters", "a.B").onBroker())
        .isEqualTo(Differences.NONE);
  }

  @Test
  @Parity("3.4 per-broker dynamic configuration set, deleted, unchanged")
  void a_key_of_the_broker_is_set_deleted_and_left_at_the_broker() {
    String key = "cordoned.log.dirs";
    assertThat(want(key, "/a").onBroker().operations())
        .containsExactly(set(key, Scope.PER_BROKER, "/a"));
    assertThat(have(key, "/a", Source.DYNAMIC_BROKER).onBroker()).isEqualTo(Differences.NONE);
    desired.clear();
    assertThat(onBroker().operations())
        .containsExactly(new Operation.Delete(key, Scope.PER_BROKER));
  }

  @Test
  @Parity({"P29", "3.4 cluster-wide configuration set at a broker"})
  void an_override_at_the_broker_is_deleted_and_the_cluster_set_only_if_something_is_desired() {
    have(OVERRIDDEN, "1000", Source.DYNAMIC_BROKER);
    assertThat(onBroker().operations())
        .containsExactly(new Operation.Delete(OVERRIDDEN, Scope.PER_BROKER));
    assertThat(want(OVERRIDDEN, "2000").onBroker().operations())
        .containsExactly(
            new Operation.Delete(OVERRIDDEN, Scope.PER_BROKER),
            set(OVERRIDDEN, Scope.CLUSTER_WIDE, "2000"));
  }

  @Test
  @Parity({
    "3.4 doubles are equal",
    "3.4 doubles fail to convert",
    "3.4 doubles are ignored when equal",
    "3.4 doubles are updated when not equal"
  })
  void numbers_are_compared_as_numbers() {
    have("log.retention.bytes", "102400000", Source.DYNAMIC_CLUSTER);
    assertThat(want("log.retention.bytes", "1.024E8").onBroker()).isEqualTo(Differences.NONE);
    assertThat(want("log.retention.bytes", "1.025E8").onBroker().operations()).hasSize(1);
    assertThat(want("log.retention.bytes", "many").onBroker().operations()).hasSize(1);
  }

  @Test
  void a_secret_is_never_compared_and_never_printed() {
    String secret = "hunter2";
    Differences differ = want("ssl.keystore.password", secret).onBroker();
    assertThat(differ.operations()).isEmpty();
    assertThat(differ.unknown()).containsExactly("ssl.keystore.password");
    Operation set = new Operation.Set("ssl.keystore.password", Scope.PER_BROKER, secret, true);
    List<Object> printed = new ArrayList<>(List.of(set, set.sentence(), Desired.of(desired)));
    printed.add(new ActualEntry(secret, Source.STATIC));
    printed.add(new Need.Reconfigure(List.of(set)));
    printed.add(differ);
    assertThat(printed).allSatisfy(each -> assertThat(each.toString()).doesNotContain(secret));
  }

  @Test
  void a_key_with_a_listener_s_prefix_is_what_it_is_without() {
    assertThat(want("listener.name.internal.ssl.keystore.location", "/k").onBroker().operations())
        .containsExactly(
            set("listener.name.internal.ssl.keystore.location", Scope.PER_BROKER, "/k"));
  }
}
