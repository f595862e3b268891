package dev.sluice.roller.cluster;

import dev.sluice.planner.reading.Partitions;
import dev.sluice.roller.Look;
import dev.sluice.roller.Look.Astray;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListConfigResourcesOptions;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Reads all partitions, a chunk of topics at a time, and keeps of each what a plan needs: 16 bytes
 * or less. Lives as long as one look; what a chunk was described with is gone with the next.
 */
final class PartitionLook {

  /** How many partitions a chunk is to have, by what topics had on average so far. */
  static final int CHUNK_PARTITIONS = 2_000;

  /** The most topics of a chunk. */
  static final int CHUNK_TOPICS_MAX = 250;

  /** The first chunk, of which nothing is known. */
  private static final int CHUNK_TOPICS_FIRST = 16;

  private static final String MINIMUM = "min.insync.replicas";
  private static final int[] NONE = new int[0];

  private final Admin admin;
  private final int limitMillis;
  private final Partitions.Builder builder = Partitions.builder();
  private final List<Astray> astray = new ArrayList<>();
  private final List<String> starving = new ArrayList<>();
  private int topics;
  private int partitions;

  /** All that is kept. */
  record Reduced(Partitions partitions, List<Astray> astray, List<String> starving) {}

  private PartitionLook(Admin admin, Duration limit) {
    this.admin = admin;
    this.limitMillis = (int) limit.toMillis();
  }

  /**
   * Looks.
   *
   * @param limit of each request
   */
  static Reduced of(Admin admin, Duration limit)
      throws ExecutionException, InterruptedException, TimeoutException {
    return new PartitionLook(admin, limit).read();
  }

  private Reduced read() throws ExecutionException, InterruptedException, TimeoutException {
    List<String> names = names();
    for (int from = 0; from < names.size(); ) {
      int to = Math.min(from + chunk(), names.size());
      read(names.subList(from, to));
      from = to;
    }
    return new Reduced(builder.build(), astray, starving);
  }

  /**
   * Of all topics, sorted. A listing of topics brings all their partitions along, which alone can
   * be more than there is memory for; a listing of what can be configured brings names only
   * (KIP-1142, brokers from 4.1 on).
   */
  private List<String> names() throws ExecutionException, InterruptedException, TimeoutException {
    try {
      var options = new ListConfigResourcesOptions().timeoutMs(limitMillis);
      return get(admin.listConfigResources(Set.of(ConfigResource.Type.TOPIC), options).all())
          .stream()
          .map(ConfigResource::name)
          .sorted()
          .toList();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnsupportedVersionException
          || e.getCause() instanceof ClusterAuthorizationException) {
        var options = new ListTopicsOptions().listInternal(true).timeoutMs(limitMillis);
        return get(admin.listTopics(options).names()).stream().sorted().toList();
      }
      throw e;
    }
  }

  private int chunk() {
    return topics == 0
        ? CHUNK_TOPICS_FIRST
        : Math.clamp(
            (long) CHUNK_PARTITIONS * topics / Math.max(1, partitions), 1, CHUNK_TOPICS_MAX);
  }

  private void read(List<String> names)
      throws ExecutionException, InterruptedException, TimeoutException {
    var minima = minima(names);
    var options =
        new DescribeTopicsOptions()
            .partitionSizeLimitPerResponse(CHUNK_PARTITIONS)
            .timeoutMs(limitMillis);
    Map<String, KafkaFuture<TopicDescription>> described =
        admin.describeTopics(TopicCollection.ofTopicNames(names), options).topicNameValues();
    for (String name : names) {
      Integer minimum = minima.get(name);
      KafkaFuture<TopicDescription> future = described.get(name);
      if (minimum != null && future != null) {
        reduceUnlessGone(name, minimum, future);
      }
    }
  }

  private void reduceUnlessGone(String name, int minimum, KafkaFuture<TopicDescription> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    try {
      reduce(name, minimum, get(future).partitions());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw e;
      }
    }
  }

  /** Of topics that are still there. */
  private Map<String, Integer> minima(List<String> names)
      throws ExecutionException, InterruptedException, TimeoutException {
    List<ConfigResource> resources =
        names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    var options = new DescribeConfigsOptions().timeoutMs(limitMillis);
    Map<ConfigResource, KafkaFuture<Config>> described =
        admin.describeConfigs(resources, options).values();
    Map<String, Integer> minima = new HashMap<>();
    for (ConfigResource resource : resources) {
      KafkaFuture<Config> future = described.get(resource);
      try {
        if (future != null) {
          minima.put(resource.name(), Integer.valueOf(get(future).get(MINIMUM).value()));
        }
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
    }
    return minima;
  }

  private void reduce(String name, int minimum, List<TopicPartitionInfo> infos) {
    topics++;
    builder.topic(name, minimum);
    for (TopicPartitionInfo info : infos) {
      partitions++;
      int[] inSync = ids(info.isr());
      builder.partition(info.partition(), ids(info.replicas()), inSync, ids(info.elr()));
      noteLeader(name, info);
      if (inSync.length < minimum
          && info.replicas().size() > minimum
          && starving.size() < Look.STARVING_MAX) {
        starving.add(name + "-" + info.partition());
      }
    }
  }

  private void noteLeader(String name, TopicPartitionInfo info) {
    if (info.replicas().isEmpty() || astray.size() == Look.ASTRAY_MAX) {
      return;
    }
    Node preferred = info.replicas().getFirst();
    boolean led = info.leader() != null && info.leader().id() == preferred.id();
    boolean inSync = info.isr().stream().anyMatch(node -> node.id() == preferred.id());
    if (!led && inSync) {
      astray.add(new Astray(name, info.partition(), preferred.id()));
    }
  }

  private static int[] ids(@org.jspecify.annotations.Nullable List<Node> nodes) {
    if (nodes == null || nodes.isEmpty()) {
      return NONE;
    }
    int[] ids = new int[nodes.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = nodes.get(i).id();
    }
    return ids;
  }

  private <T> T get(KafkaFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return KafkaAccess.get(future, Duration.ofMillis(limitMillis));
  }
}
