package dev.sluice.roller.cluster;

import dev.sluice.planner.configuration.ActualEntry;
import dev.sluice.planner.configuration.KeyTable;
import dev.sluice.planner.configuration.Operation;
import dev.sluice.planner.configuration.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Changes the configuration of a running server, each key at its scope, and reads back whether it
 * took effect.
 */
final class ConfigurationChange {

  /** The resource that stands for the whole cluster. */
  private static final String CLUSTER = "";

  private static final Duration READ_BACK_EVERY = Duration.ofMillis(200);

  private final Admin admin;
  private final int server;
  private final Duration limit;
  private final KeyTable keys;

  ConfigurationChange(Admin admin, int server, Duration limit, KeyTable keys) {
    this.keys = keys;
    this.admin = admin;
    this.server = server;
    this.limit = limit;
  }

  /**
   * Makes it.
   *
   * @return what did not take effect within the limit; empty when all did
   */
  Optional<String> make(List<Operation> operations)
      throws ExecutionException, InterruptedException, TimeoutException {
    Map<ConfigResource, java.util.Collection<AlterConfigOp>> changes = new HashMap<>();
    for (Operation operation : operations) {
      changes.computeIfAbsent(resource(operation), _ -> new ArrayList<>()).add(op(operation));
    }
    var options = new AlterConfigsOptions().timeoutMs((int) limit.toMillis());
    KafkaAccess.get(admin.incrementalAlterConfigs(changes, options).all(), limit);
    return readBack(operations);
  }

  private Optional<String> readBack(List<Operation> operations)
      throws ExecutionException, InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Map<String, ActualEntry> found = ConfigurationLook.of(admin, server, limit);
      List<String> missing =
          operations.stream()
              .filter(operation -> !hasEffect(operation, found))
              .map(Operation::key)
              .toList();
      if (missing.isEmpty()) {
        return Optional.empty();
      }
      if (System.nanoTime() > deadline) {
        return Optional.of("accepted, and read back without effect: " + String.join(", ", missing));
      }
      Thread.sleep(READ_BACK_EVERY);
    }
  }

  private boolean hasEffect(Operation operation, Map<String, ActualEntry> found) {
    ActualEntry entry = found.get(operation.key());
    return switch (operation) {
      case Operation.Set(_, _, _, boolean secret) when secret ->
          entry != null && entry.source() != ActualEntry.Source.DEFAULT;
      case Operation.Set(String key, _, String value, _) ->
          entry != null && entry.value() != null && keys.same(key, value, entry.value());
      case Operation.Delete(_, Scope scope) ->
          entry == null
              || entry.source()
                  != (scope == Scope.PER_BROKER
                      ? ActualEntry.Source.DYNAMIC_BROKER
                      : ActualEntry.Source.DYNAMIC_CLUSTER);
    };
  }

  private ConfigResource resource(Operation operation) {
    return new ConfigResource(
        ConfigResource.Type.BROKER,
        operation.scope() == Scope.PER_BROKER ? Integer.toString(server) : CLUSTER);
  }

  private static AlterConfigOp op(Operation operation) {
    return switch (operation) {
      case Operation.Set(String key, _, String value, _) ->
          new AlterConfigOp(new ConfigEntry(key, value), OpType.SET);
      case Operation.Delete(String key, _) ->
          new AlterConfigOp(new ConfigEntry(key, null), OpType.DELETE);
    };
  }
}
