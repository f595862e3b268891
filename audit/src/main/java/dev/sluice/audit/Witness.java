package dev.sluice.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads every channel from its beginning to its end, once, when the load has ended: what it sees is
 * what is in the log. It reads what is committed only.
 */
final class Witness {

  private static final Duration POLL = Duration.ofMillis(200);

  /** How long something acknowledged may still be on its way into the log (acks=0). */
  private static final Duration GRACE = Duration.ofSeconds(3);

  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Map<String, Channel> channels;
  private final Map<String, Object> settings;
  private final int partitions;

  Witness(Collection<Channel> channels, int partitions, Map<String, Object> settings) {
    this.channels = channels.stream().collect(Collectors.toMap(Channel::topic, it -> it));
    this.partitions = partitions;
    this.settings = settings;
  }

  static Map<String, Object> settings(String servers, RunName run, String part) {
    var settings = new HashMap<String, Object>();
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers);
    settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, run.client("witness-" + part));
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    return settings;
  }

  /**
   * Reads everything.
   *
   * @return what it could not read, in words: then the zeros of an audit prove nothing
   */
  List<String> read() {
    try (var consumer = new KafkaConsumer<byte[], byte[]>(settings)) {
      consumer.assign(all());
      consumer.seekToBeginning(all());
      long limit = System.nanoTime() + LIMIT.toNanos();
      boolean whole = readToEnd(consumer, limit);
      long grace = System.nanoTime() + GRACE.toNanos();
      while (whole && isSomethingMissing() && System.nanoTime() < grace) {
        poll(consumer);
      }
      return whole && readToEnd(consumer, limit)
          ? List.of()
          : List.of("the witness did not reach the end within %d s".formatted(LIMIT.toSeconds()));
    } catch (KafkaException e) {
      return List.of("the witness could not read: " + e);
    }
  }

  private boolean readToEnd(KafkaConsumer<byte[], byte[]> consumer, long limit) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(all());
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      if (System.nanoTime() > limit) {
        return false;
      }
      poll(consumer);
    }
    return true;
  }

  private void poll(KafkaConsumer<byte[], byte[]> consumer) {
    for (var found : consumer.poll(POLL)) {
      Channel channel = channels.get(found.topic());
      if (channel != null) {
        channel.witness().saw(found.partition(), found.value());
      }
    }
  }

  private boolean isSomethingMissing() {
    return channels.values().stream()
        .anyMatch(channel -> channel.written().acknowledgedWithout(channel.witness()) > 0);
  }

  private List<TopicPartition> all() {
    var all = new ArrayList<TopicPartition>();
    for (String topic : channels.keySet()) {
      for (int i = 0; i < partitions; i++) {
        all.add(new TopicPartition(topic, i));
      }
    }
    return all;
  }
}
