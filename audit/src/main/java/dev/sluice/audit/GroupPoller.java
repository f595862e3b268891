package dev.sluice.audit;

import dev.sluice.audit.ledger.Measure;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** A Java consumer in a group, of either protocol, that commits what it read. */
final class GroupPoller implements Poller {

  private static final Duration POLL = Duration.ofMillis(100);

  /** Often enough to have one in flight whenever something happens. */
  private static final Duration COMMIT = Duration.ofMillis(500);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final ReaderBook book;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private long lastCommit = System.nanoTime();

  GroupPoller(ReaderBook book, Map<String, Object> settings) {
    this.book = book;
    consumer = new KafkaConsumer<>(settings);
  }

  @Override
  public void begin() {
    consumer.subscribe(List.of(book.from().topic()), new Rebalances());
  }

  /** What the former poll gave is filed by now: that much may be committed. */
  @Override
  public ConsumerRecords<byte[], byte[]> poll() {
    if (System.nanoTime() - lastCommit > COMMIT.toNanos()) {
      lastCommit = System.nanoTime();
      consumer.commitAsync((_, failure) -> book.noticed().outcome(failure));
    }
    return consumer.poll(POLL);
  }

  @Override
  public void settle() {
    consumer.commitSync(CLOSE_LIMIT);
  }

  @Override
  public void close() {
    consumer.close();
  }

  /** The first assignment is the beginning, every further one a rebalance. */
  private final class Rebalances implements ConsumerRebalanceListener {

    private final AtomicBoolean begun = new AtomicBoolean();

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      if (begun.getAndSet(true)) {
        book.noticed().noticed(Measure.REBALANCES, "assigned again");
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      // Told by the assignment that follows; on leaving there is none.
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      book.noticed().noticed(Measure.REBALANCES, "partitions lost");
    }
  }
}
