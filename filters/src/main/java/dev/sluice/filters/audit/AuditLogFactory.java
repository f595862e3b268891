package dev.sluice.filters.audit;

import dev.sluice.filter.Filter;
import dev.sluice.filter.FilterFactory;
import dev.sluice.filter.FilterScope;
import dev.sluice.filter.Setting;
import dev.sluice.filter.Settings;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The type {@code AuditLog}: who asked for what, and what came of it. */
public final class AuditLogFactory implements FilterFactory {

  private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.AuditLog");

  /** What changes something for others. */
  private static final Set<ApiKeys> CHANGES =
      EnumSet.of(
          ApiKeys.CREATE_TOPICS,
          ApiKeys.DELETE_TOPICS,
          ApiKeys.DELETE_RECORDS,
          ApiKeys.CREATE_PARTITIONS,
          ApiKeys.ALTER_CONFIGS,
          ApiKeys.INCREMENTAL_ALTER_CONFIGS,
          ApiKeys.CREATE_ACLS,
          ApiKeys.DELETE_ACLS,
          ApiKeys.DELETE_GROUPS,
          ApiKeys.OFFSET_DELETE,
          ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
          ApiKeys.ELECT_LEADERS,
          ApiKeys.ALTER_CLIENT_QUOTAS,
          ApiKeys.ALTER_USER_SCRAM_CREDENTIALS,
          ApiKeys.UPDATE_FEATURES,
          ApiKeys.UNREGISTER_BROKER);

  /** Which APIs are audited. */
  public static final Setting<List<String>> APIS =
      Setting.texts("apis", "Names of the APIs that are audited, as Kafka calls them.")
          .orElse(CHANGES.stream().map(key -> key.name).toList())
          .checked(
              names -> !names.isEmpty() && names.stream().allMatch(name -> find(name).isPresent()),
              "a list of names of APIs, such as CreateTopics");

  /** For the service loader. */
  public AuditLogFactory() {}

  @Override
  public String type() {
    return "AuditLog";
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(APIS);
  }

  @Override
  public Filter create(Settings settings, FilterScope scope) {
    var audited = EnumSet.noneOf(ApiKeys.class);
    settings.get(APIS).forEach(name -> find(name).ifPresent(audited::add));
    return new AuditLog(audited, line -> write(line, scope));
  }

  private static Optional<ApiKeys> find(String name) {
    return Stream.of(ApiKeys.values())
        .filter(key -> key.hasValidVersion() && key.inScope(ListenerType.BROKER))
        .filter(key -> key.name.equals(name))
        .findFirst();
  }

  private static void write(AuditLine line, FilterScope scope) {
    switch (line) {
      case AuditLine.Asked(var header, var client, var about) ->
          LOG.atInfo()
              .addKeyValue("virtualCluster", scope.virtualCluster())
              .addKeyValue("client", client)
              .addKeyValue("clientId", header.clientId())
              .addKeyValue("correlationId", header.correlationId())
              .addKeyValue("api", ApiKeys.forId(header.apiKey()).name)
              .addKeyValue("about", about)
              .log("Asked");
      case AuditLine.Answered(var header, var client, var outcomes) ->
          LOG.atInfo()
              .addKeyValue("virtualCluster", scope.virtualCluster())
              .addKeyValue("client", client)
              .addKeyValue("clientId", header.clientId())
              .addKeyValue("correlationId", header.correlationId())
              .addKeyValue("api", ApiKeys.forId(header.apiKey()).name)
              .addKeyValue("outcomes", outcomes)
              .log("Answered");
    }
  }
}
