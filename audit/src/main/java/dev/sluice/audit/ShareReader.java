package dev.sluice.audit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** A Java share consumer; what one poll gave is acknowledged by the next. */
final class ShareReader implements AuditedClient {

  private static final Duration POLL = Duration.ofMillis(100);

  private final ReaderBook book;
  private final KafkaShareConsumer<byte[], byte[]> consumer;
  private final ClientThread thread;

  ShareReader(ReaderBook book, Map<String, Object> settings) {
    this.book = book;
    consumer = new KafkaShareConsumer<>(settings);
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
      consumer.setAcknowledgementCommitCallback((_, failure) -> acknowledged(failure));
      consumer.subscribe(List.of(book.from().topic()));
      while (thread.goesOn()) {
        poll();
      }
    } catch (KafkaException e) {
      book.noticed().exception(e);
    }
  }

  private void poll() {
    try {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      records.forEach(found -> book.saw(found.partition(), found.value()));
    } catch (KafkaException e) {
      book.noticed().exception(e);
    }
  }

  private void acknowledged(@Nullable Exception failure) {
    if (failure != null) {
      book.noticed().exception(failure);
    }
  }
}
