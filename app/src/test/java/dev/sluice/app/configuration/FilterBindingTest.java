package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.ConfigurationFile.Outcome;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.proxy.FilterSpec;
import dev.sluice.proxy.VirtualClusterSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Filters are judged when a configuration is loaded, by line and column. */
class FilterBindingTest {

  private static final String TWO_CLUSTERS =
      """
      virtualClusters:
        - name: orders
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways: [ { name: l, portIdentifiesNode: { bootstrapAddress: "localhost:9192" } } ]
        - name: payments
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways: [ { name: l, portIdentifiesNode: { bootstrapAddress: "localhost:9292" } } ]
          filters: FILTERS
      """;

  @Test
  void a_cluster_has_the_filters_that_it_names_or_else_the_default_ones() {
    var clusters =
        accepted(
            """
            filterDefinitions:
              - { name: a, type: TopicPrefix, config: { prefix: "team-a." }, timeLimit: 2s }
              - { name: b, type: TopicPrefix, config: { prefix: "${env:PREFIX}" } }
            defaultFilters: [ a ]
            """,
            "[ b ]");
    assertThat(clusters.getFirst().filters()).extracting(FilterSpec::name).containsExactly("a");
    assertThat(clusters.getFirst().filters().getFirst().timeLimit())
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(clusters.getLast().filters()).extracting(FilterSpec::name).containsExactly("b");
    assertThat(clusters.getLast().filters().getFirst().timeLimit())
        .isEqualTo(FilterSpec.DEFAULT_TIME_LIMIT);
  }

  @Test
  void a_cluster_may_name_none() {
    var clusters =
        accepted(
            """
            filterDefinitions: [ { name: a, type: TopicPrefix, config: { prefix: "team-a." } } ]
            defaultFilters: [ a ]
            """,
            "[]");
    assertThat(clusters.getLast().filters()).isEmpty();
  }

  @Test
  void the_same_text_read_twice_makes_equal_filters_and_another_setting_others() {
    var definition =
        "filterDefinitions: [ { name: a, type: TopicPrefix, config: { prefix: \"%s\" } } ]\n";
    var once = accepted(definition.formatted("team-a."), "[ a ]").getLast();
    var again = accepted(definition.formatted("team-a."), "[ a ]").getLast();
    var other = accepted(definition.formatted("team-b."), "[ a ]").getLast();
    assertThat(once).isEqualTo(again).isNotEqualTo(other);
  }

  @Test
  void an_unknown_type_is_refused_with_the_nearest_known_one() {
    assertThat(findings("filterDefinitions: [ { name: a, type: TopicPrefx } ]\n", "[ a ]"))
        .containsExactly(
            "f:1:39: filterDefinitions[0].type: expected the type of a filter that is on the class"
                + " path, found 'TopicPrefx'; did you mean 'TopicPrefix'?");
  }

  @Test
  void settings_are_as_strict_as_everything_else() {
    assertThat(
            findings(
                """
                filterDefinitions:
                  - { name: a, type: TopicPrefix, config: { prefixx: "team-a." } }
                  - { name: b, type: TopicPrefix, config: { prefix: "team a" } }
                  - { name: c, type: TopicPrefix, config: { prefix: 7 } }
                  - { name: d, type: TopicPrefix }
                """,
                "[ a, b, c, d ]"))
        .containsExactly(
            "f:2:43: filterDefinitions[0].config: expected the key 'prefix', which is missing",
            "f:2:54: filterDefinitions[0].config.prefixx: unknown key 'prefixx'; did you mean"
                + " 'prefix'?",
            "f:3:53: filterDefinitions[1].config.prefix: expected 1 to 200 of the characters that a"
                + " topic's name may have: letters, digits, '.', '_' and '-', found 'team a'",
            "f:4:53: filterDefinitions[2].config.prefix: expected a text, found 7",
            "f:5:5: filterDefinitions[3]: expected the key 'config' with 'prefix', which is"
                + " missing");
  }

  @Test
  void a_reference_must_lead_somewhere_and_a_definition_be_used() {
    assertThat(
            findings(
                """
                filterDefinitions:
                  - { name: prefix, type: TopicPrefix, config: { prefix: "team-a." } }
                """,
                "[ prefxi, prefxi ]"))
        .anyMatch(
            line ->
                line.endsWith(
                    "virtualClusters[1].filters[0]: expected the name of one of filterDefinitions,"
                        + " found 'prefxi'; did you mean 'prefix'?"))
        .anyMatch(line -> line.contains("filters[1]: expected each filter once"))
        .anyMatch(
            line ->
                line.endsWith(
                    "warning: filterDefinitions[0].name: expected a virtual cluster with a filter"
                        + " 'prefix', found none"));
  }

  @Test
  void a_tenant_that_would_see_another_is_refused_and_both_are_named() {
    assertThat(findings(tenants("team-a.", "team-a.b."), "[ b ]"))
        .singleElement()
        .asString()
        .endsWith(
            "virtualClusters[1]: expected filters that go together before one Kafka cluster, found"
                + " 'b' of virtual cluster payments and 'a' of virtual cluster orders: the prefix"
                + " 'team-a.b.' begins with 'team-a.': one tenant would see what the other has; end"
                + " each with a separator");
    assertThat(findings(tenants("team-a.", "team-a."), "[ b ]"))
        .singleElement()
        .asString()
        .endsWith("both have the prefix 'team-a.'; use one definition for both");
  }

  @Test
  void tenants_may_share_a_definition_or_have_a_kafka_cluster_each() {
    var clashing = tenants("team-a.", "team-a.b.");
    var elsewhere = TWO_CLUSTERS.replaceFirst("kafka-0", "kafka-1");
    assertThat(read(clashing, elsewhere, "[ b ]").findings()).isEmpty();
    assertThat(findings(clashing, "[ a ]")).noneMatch(line -> line.contains("go together"));
  }

  private static String tenants(String one, String other) {
    return """
        filterDefinitions:
          - { name: a, type: TopicPrefix, config: { prefix: "%s" } }
          - { name: b, type: TopicPrefix, config: { prefix: "%s" } }
        defaultFilters: [ a ]
        """
        .formatted(one, other);
  }

  private static List<VirtualClusterSpec> accepted(String definitions, String filters) {
    var outcome = read(definitions, filters);
    assertThat(outcome.findings()).isEmpty();
    return ((Accepted) outcome).configuration().proxy().virtualClusters();
  }

  private static List<String> findings(String definitions, String filters) {
    return read(definitions, filters).findings().stream().map(f -> f.inFile("f")).toList();
  }

  private static Outcome read(String definitions, String filters) {
    return read(definitions, TWO_CLUSTERS, filters);
  }

  private static Outcome read(String definitions, String clusters, String filters) {
    return new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.of("env."))
        .read(definitions + clusters.replace("FILTERS", filters), Path.of("."));
  }
}
