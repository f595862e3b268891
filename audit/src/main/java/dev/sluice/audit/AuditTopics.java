package dev.sluice.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RetriableException;

/** The topics and groups of one run, through an Admin client of the audit's own. */
final class AuditTopics implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Of the first question, before any load: an address where nobody answers is told soon. */
  private static final Duration GREETING_LIMIT = Duration.ofSeconds(10);

  /** What is still asked for then is not waited for. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private static final Duration ASKED_AGAIN_AFTER = Duration.ofMillis(50);

  private static final int MOST_REPLICAS = 3;

  private final Admin admin;
  private final String servers;

  AuditTopics(String servers, RunName run) {
    this.servers = servers;
    admin =
        Admin.create(
            Map.of(
                CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                servers,
                CommonClientConfigs.CLIENT_ID_CONFIG,
                run.client("witness-topics")));
  }

  /** Replicated as far as brokers are there, so that a roll finds what it finds in earnest. */
  void create(Collection<String> topics, int partitions) throws InterruptedException {
    int brokers = done(admin.describeCluster().nodes(), GREETING_LIMIT).size();
    short replicas = (short) Math.clamp(brokers, 1, MOST_REPLICAS);
    var min = Map.of("min.insync.replicas", Integer.toString(Math.max(1, replicas - 1)));
    done(
        admin
            .createTopics(
                topics.stream()
                    .map(topic -> new NewTopic(topic, partitions, replicas).configs(min))
                    .toList())
            .all());
    awaitLeaders(topics, partitions);
  }

  /**
   * A controller tells of a topic before each of its leaders has heard that it leads. A producer
   * that is not idempotent reorders what it has in flight over such a refusal, and nobody but Kafka
   * would be to blame. Only a leader says where its log ends; a broker that has not heard of a
   * topic is asked again.
   */
  private void awaitLeaders(Collection<String> topics, int partitions) throws InterruptedException {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (String topic : topics) {
      for (int partition = 0; partition < partitions; partition++) {
        ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
      }
    }
    Instant until = Instant.now().plus(LIMIT);
    while (true) {
      try {
        done(admin.listOffsets(ends).all());
        return;
      } catch (IllegalStateException e) {
        if (!isRetriable(e) || Instant.now().isAfter(until)) {
          throw e;
        }
        Thread.sleep(ASKED_AGAIN_AFTER);
      }
    }
  }

  private static boolean isRetriable(IllegalStateException failure) {
    return failure.getCause() instanceof ExecutionException said
        && said.getCause() instanceof RetriableException;
  }

  /** A share group begins where it is told to by its configuration, not by its members. */
  void beginEarliest(String shareGroup) throws InterruptedException {
    var earliest =
        new AlterConfigOp(
            new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
    done(
        admin
            .incrementalAlterConfigs(
                Map.of(
                    new ConfigResource(ConfigResource.Type.GROUP, shareGroup), List.of(earliest)))
            .all());
  }

  /** Removes what was made; what is left is told. */
  Optional<String> remove(Collection<String> topics) throws InterruptedException {
    try {
      done(admin.deleteTopics(topics).all());
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private <T> T done(KafkaFuture<T> future) throws InterruptedException {
    return done(future, LIMIT);
  }

  private <T> T done(KafkaFuture<T> future, Duration limit) throws InterruptedException {
    try {
      return future.get(limit.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Expected %s to do what an audit needs, found: %s".formatted(servers, e.getCause()), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "Expected an answer of %s within %d s, found none; is it a Kafka address?"
              .formatted(servers, limit.toSeconds()),
          e);
    }
  }

  @Override
  public void close() {
    admin.close(CLOSE_LIMIT);
  }
}
