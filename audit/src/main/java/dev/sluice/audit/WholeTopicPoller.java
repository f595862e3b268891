package dev.sluice.audit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads partitions from their beginning, outside any group. */
final class WholeTopicPoller implements Poller {

  private static final Duration POLL = Duration.ofMillis(100);

  private final List<TopicPartition> partitions;
  private final KafkaConsumer<byte[], byte[]> consumer;

  WholeTopicPoller(List<TopicPartition> partitions, Map<String, Object> settings) {
    this.partitions = List.copyOf(partitions);
    consumer = new KafkaConsumer<>(settings);
  }

  @Override
  public void begin() {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll() {
    return consumer.poll(POLL);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
