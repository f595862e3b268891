package dev.sluice.roller.cluster;

import dev.sluice.roller.ServerSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaFuture;

/**
 * The ways to a cluster: one client for its brokers, one for its controllers, for the whole roll.
 * Thread-safe.
 */
public final class KafkaAccess implements AutoCloseable {

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
  private static final String REQUEST_TIMEOUT_MILLIS = "3000";

  /**
   * A controller that knows of no leader names no other controller either, and a client that was
   * told so asks nobody for five minutes (Kafka 4.4.0: {@code metadata.max.age.ms}, and the default
   * of this), long after there is a leader again. It begins anew with the addresses it was given.
   * Longer than a connection takes to be set up: each time it closes those that are.
   */
  private static final String REBOOTSTRAP_MILLIS = "10000";

  private final Way brokers;
  private final Optional<Way> controllers;

  private KafkaAccess(Way brokers, Optional<Way> controllers) {
    this.brokers = brokers;
    this.controllers = controllers;
  }

  /**
   * @param settings of clients; for a kind of end point
   */
  private record Way(Admin admin, Map<String, Object> settings) {}

  /**
   * Opens it; nothing is connected yet.
   *
   * @param brokers {@code host:port,...}
   * @param controllers the same; empty when controllers cannot be reached
   * @param properties of clients beside that: security, for a start
   */
  public static KafkaAccess open(
      String brokers, Optional<String> controllers, Map<String, String> properties) {
    Way first = way(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers, properties);
    try {
      return new KafkaAccess(
          first,
          controllers.map(
              servers -> way(AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG, servers, properties)));
    } catch (RuntimeException e) {
      first.admin().close(Duration.ZERO); // whoever tries again would leave one behind each time
      throw e;
    }
  }

  private static Way way(String key, String servers, Map<String, String> properties) {
    Map<String, Object> settings = new HashMap<>(properties);
    settings.put(key, servers);
    settings.putIfAbsent(AdminClientConfig.CLIENT_ID_CONFIG, "sluice-roller");
    settings.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
    settings.putIfAbsent(
        AdminClientConfig.METADATA_RECOVERY_REBOOTSTRAP_TRIGGER_MS_CONFIG, REBOOTSTRAP_MILLIS);
    settings.putIfAbsent(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, "false");
    return new Way(Admin.create(settings), settings);
  }

  Admin brokers() {
    return brokers.admin();
  }

  Optional<Admin> controllers() {
    return controllers.map(Way::admin);
  }

  /** Who is asked about the metadata quorum. */
  Admin quorum() {
    return controllers().orElse(brokers());
  }

  /** Who is asked about a server's own configuration; empty when nobody can be. */
  Optional<Admin> of(ServerSpec server) {
    return server.broker() ? Optional.of(brokers()) : controllers();
  }

  /** With what settings a server's port is reached. */
  Map<String, Object> settings(ServerSpec server) {
    return server.broker() ? brokers.settings() : controllers.orElse(brokers).settings();
  }

  /**
   * The id that Kafka gave the cluster. Brokers and controllers are asked at once and who answers
   * first is heard: one that is silent would be waited for, and may be asked more than once.
   *
   * @param limit for all of it
   */
  public String clusterId(Duration limit) throws ExecutionException, InterruptedException {
    var first = new CompletableFuture<String>();
    var asked =
        Stream.concat(Stream.of(brokers()), controllers().stream())
            .map(admin -> clusterId(admin, first))
            .toArray(CompletableFuture<?>[]::new);
    var _ =
        CompletableFuture.allOf(asked)
            .whenComplete(
                (_, failure) -> {
                  if (failure != null) {
                    first.completeExceptionally(failure);
                  }
                });
    try {
      return first.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      String nobody = controllers().isPresent() ? "no broker and no controller" : "no broker";
      throw new ExecutionException(nobody + " answered within " + limit, e);
    }
  }

  private static CompletableFuture<?> clusterId(Admin admin, CompletableFuture<String> first) {
    return admin
        .describeCluster()
        .clusterId()
        .toCompletionStage()
        .thenAccept(first::complete)
        .toCompletableFuture();
  }

  static <T> T get(KafkaFuture<T> future, Duration limit)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    brokers().close(CLOSE_LIMIT);
    controllers().ifPresent(admin -> admin.close(CLOSE_LIMIT));
  }
}
