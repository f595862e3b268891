package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.ConfigurationFile.Outcome;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.EscalationSpec.Argument;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Retry;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import dev.sluice.lifecycle.Readiness.Policy;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.DrainSpec;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.VirtualClusterSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFileTest {

  private static final String SMALLEST =
      """
      virtualClusters:
        - name: orders
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways:
            - name: local
              portIdentifiesNode: { bootstrapAddress: "localhost:9192" }
      """;

  @TempDir private Path directory;

  @Test
  void the_smallest_configuration_has_the_documented_defaults() {
    var configuration = accepted(SMALLEST);

    assertThat(configuration.management()).isEqualTo(ManagementSpec.DEFAULT);
    assertThat(configuration.proxy().network()).isEqualTo(NetworkSpec.DEFAULT);
    assertThat(configuration.proxy().onFailure()).isEqualTo(FailurePolicy.DEFAULT);
    assertThat(configuration.escalation()).isEmpty();
    assertThat(configuration.proxy().virtualClusters())
        .containsExactly(
            new VirtualClusterSpec(
                "orders",
                DrainSpec.DEFAULT,
                List.of(new Endpoint("kafka-0", 9092)),
                List.of(
                    new GatewaySpec(
                        "local",
                        Optional.empty(),
                        new Endpoint("localhost", 9192),
                        9193,
                        List.of(new NodeIdRange("default", 0, 2)),
                        "localhost")),
                LimitsSpec.DEFAULT));
  }

  @Test
  void every_key_finds_its_place_in_the_records() throws IOException {
    Files.writeString(directory.resolve("token"), "secret\n");
    var configuration =
        accepted(
            """
            management:
              bindAddress: 127.0.0.2
              port: 9200
              tokenFile: token
              readiness: any
              endpoints: { prometheus: {} }
            proxy:
              onVirtualClusterFailure:
                serve: remaining
                retry: { maxRetries: -1, backoff: 500ms, maxBackoff: 1m30s }
                escalate:
                  url: http://localhost:9000/hook
                  messageFormat: "%s: %s, 100%% down"
                  args: [VIRTUAL_CLUSTER, EXCEPTION_MESSAGE]
            network:
              proxy:
                workerThreadCount: 4
                shutdownTimeout: 20s
                idleTimeout: 1h
                unauthenticatedIdleTimeout: 5s
                progressTimeout: 1m30s
                connectTimeout: 3s
                tlsHandshakeTimeout: 4s
                repeatedLogInterval: 500ms
            clusterDefinitions:
              - { name: east, bootstrapServers: " kafka-0:9092 , [::1]:9093 " }
            virtualClusters:
              - name: orders
                drainTimeout: 0s
                drain: { pause: 60ms, reconnectWait: 1s }
                target: { cluster: east }
                limits: { maxFrameSize: 64KiB, maxConnections: 7, maxInFlight: 3 }
                gateways:
                  - name: local
                    portIdentifiesNode:
                      bootstrapAddress: kafka.example:9192
                      bindAddress: 127.0.0.1
                      nodeStartPort: 9300
                      nodeIdRanges: [ { name: a, start: 0, end: 1 }, { name: b, start: 5, end: 5 } ]
                      advertisedBrokerAddressPattern: broker-$(nodeId).kafka.example
            """);

    assertThat(configuration.management())
        .isEqualTo(
            new ManagementSpec(
                "127.0.0.2",
                9200,
                Optional.empty(),
                Optional.of(directory.resolve("token")),
                Policy.ANY,
                true));
    assertThat(configuration.proxy().onFailure())
        .isEqualTo(
            new FailurePolicy(
                Serve.REMAINING,
                Optional.of(
                    new Retry(Retry.UNLIMITED, Duration.ofMillis(500), Duration.ofSeconds(90)))));
    assertThat(configuration.escalation())
        .contains(
            new EscalationSpec(
                URI.create("http://localhost:9000/hook"),
                "%s: %s, 100%% down",
                List.of(Argument.VIRTUAL_CLUSTER, Argument.EXCEPTION_MESSAGE)));
    assertThat(configuration.proxy().network())
        .isEqualTo(
            new NetworkSpec(
                4,
                Duration.ofSeconds(20),
                Duration.ofHours(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(90),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                Duration.ofMillis(500)));
    assertThat(configuration.proxy().virtualClusters())
        .containsExactly(
            new VirtualClusterSpec(
                "orders",
                new DrainSpec(Duration.ZERO, Duration.ofMillis(60), Duration.ofSeconds(1)),
                List.of(new Endpoint("kafka-0", 9092), new Endpoint("::1", 9093)),
                List.of(
                    new GatewaySpec(
                        "local",
                        Optional.of("127.0.0.1"),
                        new Endpoint("kafka.example", 9192),
                        9300,
                        List.of(new NodeIdRange("a", 0, 1), new NodeIdRange("b", 5, 5)),
                        "broker-$(nodeId).kafka.example")),
                new LimitsSpec(65_536, 7, 3)));
  }

  @Test
  void all_errors_are_told_at_once_with_line_and_column() {
    assertThat(
            findings(
                """
                management: { prot: 9190 }
                virtualClusters:
                  - name: _orders
                    drainTimeout: ten
                    targetCluster: { bootstrapServers: "kafka-0:9092, nowhere, kafka-1:0" }
                    gateways:
                      - name: local
                        portIdentifiesNode: { bootstrapAddress: "localhost:9192", nodeStartPort: "9193" }
                """))
        .containsExactly(
            "f:1:15: management.prot: unknown key 'prot'; did you mean 'port'?",
            "f:3:11: virtualClusters[0].name: expected a DNS label: 1 to 63 letters, digits and"
                + " inner hyphens, found '_orders'",
            "f:4:19: virtualClusters[0].drainTimeout: expected a duration such as 10s, 1m30s, 500ms"
                + " or 0s, found 'ten'",
            "f:5:40: virtualClusters[0].targetCluster.bootstrapServers: expected HOST:PORT, or"
                + " several separated by commas, with ports of 1 to 65535, found 'nowhere'",
            "f:5:40: virtualClusters[0].targetCluster.bootstrapServers: expected HOST:PORT, or"
                + " several separated by commas, with ports of 1 to 65535, found 'kafka-1:0'",
            "f:8:82: virtualClusters[0].gateways[0].portIdentifiesNode.nodeStartPort: expected a"
                + " port of 1 to 65535, found '9193'");
  }

  @Test
  void a_missing_key_is_named() {
    assertThat(findings("virtualClusters: [ { name: orders, targetCluster: {} } ]"))
        .containsExactlyInAnyOrder(
            "f:1:20: virtualClusters[0]: expected the key 'gateways', which is missing",
            "f:1:51: virtualClusters[0].targetCluster: expected the key 'bootstrapServers', which"
                + " is missing");
  }

  @Test
  void an_empty_file_is_told_what_is_expected() {
    assertThat(findings(""))
        .containsExactly("f:1:1: expected the configuration of a Sluice proxy, found nothing");
  }

  @Test
  void a_duplicate_key_names_both_lines() {
    assertThat(findings("management: { port: 1 }\n" + SMALLEST + "management: { port: 2 }\n"))
        .containsExactly(
            "f:8:1: management: expected each key once, found it again; it first stands in line 1");
  }

  @Test
  void a_syntax_error_has_line_and_column() {
    assertThat(findings("virtualClusters:\n  - name: [orders\n"))
        .singleElement()
        .asString()
        .startsWith("f:3:1: expected YAML, found: ");
  }

  @Test
  void an_alias_that_contains_itself_is_an_error_and_not_an_endless_loop() {
    assertThat(findings("virtualClusters: &a [ *a ]"))
        .singleElement()
        .asString()
        .contains("an alias that contains itself?");
  }

  @Test
  void target_and_target_cluster_exclude_each_other() {
    assertThat(
            findings(
                SMALLEST.replace(
                    "targetCluster:", "target: { cluster: east }\n    targetCluster:")))
        .first()
        .asString()
        .contains("expected exactly one of target")
        .endsWith("found target and targetCluster");
    assertThat(findings(SMALLEST.replaceFirst("    targetCluster:.*\n", "")))
        .singleElement()
        .asString()
        .endsWith("found neither");
  }

  @Test
  void a_reference_to_nothing_names_the_nearest() {
    assertThat(
            findings(
                "clusterDefinitions: [ { name: east, bootstrapServers: 'k:9092' } ]\n"
                    + SMALLEST.replaceFirst("targetCluster:.*\n", "target: { cluster: eats }\n")))
        .contains(
            "f:4:24: virtualClusters[0].target.cluster: expected the name of one of"
                + " clusterDefinitions, found 'eats'; did you mean 'east'?");
  }

  @Test
  void names_are_unique_ignoring_case() {
    assertThat(findings(SMALLEST + cluster("Orders", 9292)))
        .containsExactly(
            "f:7:11: virtualClusters[1].name: expected a name that no other virtual cluster has,"
                + " ignoring case, found 'Orders' beside 'orders'");
  }

  @Test
  void a_port_wanted_twice_names_both_owners() {
    assertThat(findings(SMALLEST + cluster("payments", 9195)))
        .containsExactly(
            "f:11:49: virtualClusters[1].gateways[0].portIdentifiesNode.bootstrapAddress: expected"
                + " a port of its own, found that port 9195 is wanted by virtual cluster payments,"
                + " gateway local (bootstrap) and by virtual cluster orders, gateway local (node 2)"
                + " in line 6");
  }

  @Test
  void the_management_port_is_one_of_them() {
    assertThat(findings("management: { port: 9193 }\n" + SMALLEST))
        .singleElement()
        .asString()
        .contains("the management API");
  }

  @Test
  void the_same_port_on_other_addresses_is_no_collision() {
    var one = SMALLEST.replace("{ bootstrapA", "{ bindAddress: 127.0.0.1, bootstrapA");
    var other =
        cluster("payments", 9192).replace("{ bootstrapA", "{ bindAddress: 127.0.0.2, bootstrapA");

    assertThat(findings(one + other)).isEmpty();
  }

  @Test
  void ranges_do_not_overlap_and_do_not_run_out_of_ports() {
    assertThat(
            findings(
                SMALLEST.replace(
                    "9192\" }",
                    "9192\", nodeIdRanges: [ { name: a, start: 0, end: 4 }, { name: b, start: 4,"
                        + " end: 70000 } ] }")))
        .anySatisfy(f -> assertThat(f).contains("found b (4 to 70000) and a (0 to 4)"))
        .anySatisfy(f -> assertThat(f).contains("at most 65535, found that they need 9193 to"));
  }

  @Test
  void a_drain_longer_than_the_shutdown_is_a_warning_that_names_both() {
    var outcome = read(SMALLEST.replace("gateways:", "drainTimeout: 1m\n    gateways:"));

    assertThat(outcome).isInstanceOf(Accepted.class);
    assertThat(outcome.findings())
        .singleElement()
        .extracting(f -> f.inFile("f"))
        .asString()
        .startsWith("f:4:19: warning: virtualClusters[0].drainTimeout: ")
        .contains("15s", "1m");
  }

  @Test
  void what_is_beyond_the_bounds_of_a_drain_is_an_error() {
    var drain = "drain: { pause: 49ms, reconnectWait: 2001ms }\n    gateways:";

    assertThat(findings(SMALLEST.replace("gateways:", drain)))
        .containsExactly(
            "f:4:21: virtualClusters[0].drain.pause: expected 50ms to 200ms, found '49ms'",
            "f:4:42: virtualClusters[0].drain.reconnectWait: expected 0s to 2s, found '2001ms'");
  }

  @Test
  void a_shutdown_closes_ports_last_unless_it_is_told_otherwise() {
    var first = "shutdown: { closePortsFirst: true }\n" + SMALLEST;

    assertThat(accepted(SMALLEST).proxy().closePortsFirst()).isFalse();
    assertThat(accepted(first).proxy().closePortsFirst()).isTrue();
  }

  @Test
  void the_environment_fills_in_and_stays_unseen() {
    var text = SMALLEST.replace("localhost:9192", "localhost:${env:PORT}");
    var environment = Map.of("PORT", "9500");

    assertThat(read(text, environment).findings()).isEmpty();
    assertThat(read(text, Map.of("PORT", "s3cret")).findings())
        .extracting(Finding::message)
        .containsExactly(
            "expected HOST:PORT with a port of 1 to 65535, found 'localhost:${env:PORT}'");
    assertThat(read(text, Map.of()).findings())
        .extracting(Finding::message)
        .first()
        .asString()
        .startsWith("expected the environment variable PORT to be set");
    assertThat(read(text.replace("PORT}", "PORT:-9600}"), Map.of()).findings()).isEmpty();
  }

  @Test
  void a_plain_variable_may_be_a_number() {
    var text = "management:\n  port: ${env:PORT}\n" + SMALLEST;

    assertThat(((Accepted) read(text, Map.of("PORT", "9500"))).configuration().management().port())
        .isEqualTo(9500);
  }

  @Test
  void a_quoted_variable_may_be_a_number_where_one_is_expected() {
    var text = "management: { port: \"${env:PORT}\", readiness: any }\n" + SMALLEST;

    assertThat(((Accepted) read(text, Map.of("PORT", "9500"))).configuration().management().port())
        .isEqualTo(9500);
    assertThat(read(text, Map.of("PORT", "many")).findings())
        .extracting(Finding::message)
        .singleElement()
        .asString()
        .contains("found '${env:PORT}'");
  }

  @Test
  void what_is_not_known_is_rejected() {
    assertThat(findings(SMALLEST + "clusterDefinition: []\n"))
        .containsExactly(
            "f:7:1: clusterDefinition: unknown key 'clusterDefinition'; did you mean"
                + " 'clusterDefinitions'?");
  }

  @Test
  void a_format_has_a_place_for_each_argument() {
    assertThat(
            findings(
                "proxy: { onVirtualClusterFailure: { escalate: { url: 'http://h/', messageFormat:"
                    + " '%s' } } }\n"
                    + SMALLEST))
        .singleElement()
        .asString()
        .endsWith("expected one %s for each of args, found 1 %s and 2 args");
  }

  @Test
  void a_file_that_is_not_there_is_a_finding() {
    var outcome = file(Map.of()).read(directory.resolve("none.yaml"));

    assertThat(outcome.findings())
        .extracting(Finding::message)
        .containsExactly("expected a file, found none");
  }

  @Test
  void a_token_file_that_is_not_there_is_an_error() {
    assertThat(findings("management: { tokenFile: nowhere }\n" + SMALLEST))
        .singleElement()
        .asString()
        .contains("management.tokenFile: expected a file that can be read");
  }

  private static String cluster(String name, int port) {
    return SMALLEST
        .replace("virtualClusters:\n", "")
        .replace("orders", name)
        .replace("9192", Integer.toString(port));
  }

  private Configuration accepted(String text) {
    var outcome = read(text);
    assertThat(outcome.findings()).isEmpty();
    return ((Accepted) outcome).configuration();
  }

  private List<String> findings(String text) {
    return read(text).findings().stream().map(f -> f.inFile("f")).toList();
  }

  private Outcome read(String text) {
    return read(text, Map.of());
  }

  private Outcome read(String text, Map<String, String> environment) {
    return file(environment).read(text, directory);
  }

  private static ConfigurationFile file(Map<String, String> environment) {
    return new ConfigurationFile(
        ConfigurationSchema.load(), name -> Optional.ofNullable(environment.get(name)));
  }
}
