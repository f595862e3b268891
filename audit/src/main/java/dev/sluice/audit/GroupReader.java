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
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A Java consumer in a group, of either protocol, that commits what it read. */
final class GroupReader implements AuditedClient {

  private static final Duration POLL = Duration.ofMillis(100);

  /** Often enough to have one in flight whenever something happens. */
  private static final Duration COMMIT = Duration.ofMillis(500);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final ReaderBook book;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final ClientThread thread;
  private long lastCommit = System.nanoTime();

  GroupReader(ReaderBook book, Map<String, Object> settings) {
    this.book = book;
    consumer = new KafkaConsumer<>(settings);
    thread = new ClientThread("audit-read " + book.client(), this::read);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void rest() {
    book.noticed().rested(System.nanoTime());
  }

  @Override
  public void leave() throws InterruptedException {
    thread.end();
  }

  private void read() {
    try (consumer) {
      consumer.subscribe(List.of(book.from().topic()), new Rebalances());
      while (thread.goesOn()) {
        poll();
      }
      consumer.commitSync(CLOSE_LIMIT);
    } catch (KafkaException e) {
      book.noticed().exception(e);
    }
  }

  private void poll() {
    try {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      records.forEach(found -> book.saw(found.partition(), found.value()));
      if (System.nanoTime() - lastCommit > COMMIT.toNanos()) {
        lastCommit = System.nanoTime();
        consumer.commitAsync((_, failure) -> committed(failure));
      }
    } catch (KafkaException e) {
      book.noticed().exception(e);
    }
  }

  private void committed(@Nullable Exception failure) {
    if (failure != null) {
      book.noticed().exception(failure);
    }
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
