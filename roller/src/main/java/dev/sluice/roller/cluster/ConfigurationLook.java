package dev.sluice.roller.cluster;

import dev.sluice.planner.configuration.ActualEntry;
import dev.sluice.planner.configuration.ActualEntry.Source;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.config.ConfigResource;

/** Reads the configuration that a server has, from that server. */
final class ConfigurationLook {

  private ConfigurationLook() {}

  static Map<String, ActualEntry> of(Admin admin, int server, Duration limit)
      throws ExecutionException, InterruptedException, TimeoutException {
    ConfigResource resource =
        new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(server));
    var options = new DescribeConfigsOptions().timeoutMs((int) limit.toMillis());
    Map<String, ActualEntry> entries = new TreeMap<>();
    Config config =
        Objects.requireNonNull(
            KafkaAccess.get(admin.describeConfigs(List.of(resource), options).all(), limit)
                .get(resource));
    config
        .entries()
        .forEach(
            entry ->
                source(entry)
                    .ifPresent(
                        source ->
                            entries.put(entry.name(), new ActualEntry(entry.value(), source))));
    return entries;
  }

  private static Optional<Source> source(ConfigEntry entry) {
    return switch (entry.source()) {
      case DYNAMIC_BROKER_CONFIG -> Optional.of(Source.DYNAMIC_BROKER);
      case DYNAMIC_DEFAULT_BROKER_CONFIG -> Optional.of(Source.DYNAMIC_CLUSTER);
      case STATIC_BROKER_CONFIG -> Optional.of(Source.STATIC);
      case DEFAULT_CONFIG -> Optional.of(Source.DEFAULT);
      case DYNAMIC_TOPIC_CONFIG,
          DYNAMIC_BROKER_LOGGER_CONFIG,
          DYNAMIC_CLIENT_METRICS_CONFIG,
          DYNAMIC_GROUP_CONFIG,
          UNKNOWN ->
          Optional.empty();
    };
  }
}
