package dev.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.junit.jupiter.api.Test;

/**
 * The table of keys that the roller gives to the planner is Kafka's own. Written with {@code
 * -Dgenerate=true}; any drift fails.
 */
class KafkaKeysTest {

  private static final Path TABLE =
      Path.of("../planner/src/main/resources/dev/sluice/planner/configuration/kafka-4.4.0.tsv");

  /** Kafka has no table of this; these are the parts of it that a controller runs. */
  private static final List<String> READ_BY_CONTROLLERS =
      List.of(
          "advertised.listeners",
          "allow.everyone.if.no.acl.found",
          "alter.config.policy.",
          "authorizer.",
          "auto.leader.rebalance.enable",
          "background.threads",
          "broker.heartbeat.",
          "broker.session.timeout.ms",
          "config.providers",
          "connection",
          "controlled.",
          "controller.",
          "controller",
          "create.topic.policy.",
          "default.replication.factor",
          "delete.topic.enable",
          "early.start.listeners",
          "inter.broker.listener.name",
          "leader.imbalance.",
          "listener",
          "log.dir",
          "max.connection",
          "max.connections",
          "metadata.",
          "metric",
          "metrics",
          "min.insync.replicas",
          "node.id",
          "num.io.threads",
          "num.network.threads",
          "num.partitions",
          "principal.",
          "process.roles",
          "queued.max.",
          "quota.",
          "request.timeout.ms",
          "sasl.",
          "security.",
          "socket.",
          "ssl.",
          "super.users",
          "unclean.leader.election.",
          "unstable.");

  /** Only controllers act on these. */
  private static final List<String> ONLY_BY_CONTROLLERS =
      List.of("controller.quorum.", "leader.imbalance.", "auto.leader.rebalance.enable");

  @Test
  void the_table_of_keys_is_kafkas_own() throws IOException {
    List<String> expected = lines();
    if (Boolean.getBoolean("generate")) {
      Files.createDirectories(TABLE.getParent());
      Files.write(TABLE, expected);
    }
    assertThat(Files.readAllLines(TABLE)).isEqualTo(expected);
  }

  static List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("# Kafka 4.4.0: key, scope, form, default, roles. Written by a test.");
    Map<String, String> modes = new TreeMap<>(DynamicBrokerConfig.dynamicConfigUpdateModes());
    AbstractKafkaConfig.CONFIG_DEF.configKeys().values().stream()
        .sorted((one, other) -> one.name.compareTo(other.name))
        .map(key -> line(key, modes.getOrDefault(key.name, "read-only")))
        .forEach(lines::add);
    return lines;
  }

  private static String line(ConfigDef.ConfigKey key, String mode) {
    String scope =
        switch (mode) {
          case "per-broker" -> "PER_BROKER";
          case "cluster-wide" -> "CLUSTER_WIDE";
          default -> "READ_ONLY";
        };
    String form =
        switch (key.type()) {
          case BOOLEAN -> "BOOLEAN";
          case INT, SHORT, LONG, DOUBLE -> "NUMBER";
          case LIST -> "LIST";
          case PASSWORD -> "SECRET";
          case STRING, CLASS -> "TEXT";
        };
    String value =
        key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type()) : null;
    boolean controllers = begins(key.name, READ_BY_CONTROLLERS);
    boolean brokers = !begins(key.name, ONLY_BY_CONTROLLERS);
    return String.join(
        "\t",
        key.name,
        scope,
        form,
        value == null || form.equals("SECRET") ? "-" : value,
        (brokers ? "b" : "") + (controllers ? "c" : ""));
  }

  private static boolean begins(String key, List<String> with) {
    return with.stream().anyMatch(key::startsWith);
  }
}
