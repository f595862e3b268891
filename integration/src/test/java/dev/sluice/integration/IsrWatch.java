package dev.sluice.integration;

import dev.sluice.embedded.EmbeddedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Looks at every partition ten times a second, with a client of its own, and notes which of those
 * that have a replica to spare was seen below its minimum.
 */
final class IsrWatch implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final String MINIMUM = "min.insync.replicas";

  private final Admin admin;
  private final Set<String> below = new ConcurrentSkipListSet<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final Map<String, Integer> minima;
  private final Thread thread;
  private volatile boolean closed;

  /** From now on, of the topics that there are now. */
  IsrWatch(EmbeddedCluster kafka) throws Exception {
    admin =
        Admin.create(
            Map.of(
                CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                kafka.bootstrapServers(),
                CommonClientConfigs.CLIENT_ID_CONFIG,
                "isr-watch",
                CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG,
                "2000"));
    var names = admin.listTopics().names().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    var resources =
        names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    var found = new TreeMap<String, Integer>();
    admin
        .describeConfigs(resources)
        .all()
        .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
        .forEach(
            (topic, config) ->
                found.put(topic.name(), Integer.valueOf(config.get(MINIMUM).value())));
    minima = found;
    thread = Thread.ofPlatform().daemon().name("isr-watch").start(this::watch);
  }

  /** Partitions that were seen below their minimum, with what was seen. */
  List<String> below() {
    return new ArrayList<>(below);
  }

  int looks() {
    return looks.get();
  }

  private void watch() {
    try {
      while (!closed) {
        look();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws InterruptedException {
    try {
      admin
          .describeTopics(TopicCollection.ofTopicNames(minima.keySet()))
          .allTopicNames()
          .get(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
          .forEach(
              (name, topic) ->
                  topic
                      .partitions()
                      .forEach(each -> note(name, each, minima.getOrDefault(name, 0))));
      looks.incrementAndGet();
    } catch (ExecutionException | TimeoutException _) {
      // The broker that was asked is on its way down: the next is asked at the next look.
    }
  }

  private void note(String topic, TopicPartitionInfo partition, int minimum) {
    if (partition.replicas().size() > minimum && partition.isr().size() < minimum) {
      below.add(topic + "-" + partition.partition() + " in sync " + partition.isr());
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    admin.close(Duration.ofSeconds(2));
  }
}
