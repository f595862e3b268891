package dev.sluice.audit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/**
 * Kafka Streams, exactly once, copying one topic into another. What it saw is what it wrote: a
 * witness of its own reads the copy while it is written.
 */
final class StreamsCopier implements AuditedClient {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);

  private final ReaderBook book;
  private final KafkaStreams streams;
  private final KafkaConsumer<byte[], byte[]> witness;
  private final ClientThread thread;

  /**
   * @param settings of the application
   * @param copy the partitions of the topic that is written
   * @param witness settings of the consumer that reads the copy
   */
  StreamsCopier(
      ReaderBook book,
      Map<String, Object> settings,
      List<TopicPartition> copy,
      Map<String, Object> witness) {
    this.book = book;
    var properties = new Properties();
    properties.putAll(settings);
    var topology = new StreamsBuilder();
    topology.stream(book.from().topic(), Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .to(copy.getFirst().topic(), Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    streams = new KafkaStreams(topology.build(), properties);
    streams.setUncaughtExceptionHandler(this::failed);
    this.witness = new KafkaConsumer<>(witness);
    this.witness.assign(copy);
    this.witness.seekToBeginning(copy);
    thread = new ClientThread("audit-witness " + book.client(), this::watch);
  }

  @Override
  public void start() {
    streams.start();
    thread.start();
  }

  @Override
  public void rest() {
    book.noticed().rested(System.nanoTime());
  }

  @Override
  public void leave() throws InterruptedException {
    streams.close(CLOSE_LIMIT);
    thread.end();
  }

  private StreamThreadExceptionResponse failed(Throwable thrown) {
    book.noticed().exception(thrown);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  private void watch() {
    try (witness) {
      while (thread.goesOn()) {
        witness.poll(POLL).forEach(found -> book.saw(found.partition(), found.value()));
      }
    } catch (KafkaException e) {
      book.noticed().exception(e);
    }
  }
}
