package dev.sluice.audit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;

/** A Java share consumer; what one poll gave is acknowledged by the next. */
final class SharePoller implements Poller {

  private static final Duration POLL = Duration.ofMillis(100);

  private final ReaderBook book;
  private final KafkaShareConsumer<byte[], byte[]> consumer;

  SharePoller(ReaderBook book, Map<String, Object> settings) {
    this.book = book;
    consumer = new KafkaShareConsumer<>(settings);
  }

  @Override
  public void begin() {
    consumer.setAcknowledgementCommitCallback((_, failure) -> book.noticed().outcome(failure));
    consumer.subscribe(List.of(book.from().topic()));
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
