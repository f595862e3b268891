package dev.sluice.audit;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/**
 * Kafka Streams, exactly once, copying one topic into another. What it saw is what it wrote: a
 * reader of its own reads the copy while it is written.
 */
final class StreamsCopier implements AuditedClient {

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(20);

  private final ReaderBook book;
  private final KafkaStreams streams;
  private final AuditedClient reader;

  /**
   * @param settings of the application
   * @param copy the topic that is written
   * @param reader reads the copy
   */
  StreamsCopier(ReaderBook book, Map<String, Object> settings, String copy, AuditedClient reader) {
    this.book = book;
    this.reader = reader;
    var properties = new Properties();
    properties.putAll(settings);
    var topology = new StreamsBuilder();
    topology.stream(book.from().topic(), Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .to(copy, Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
    streams = new KafkaStreams(topology.build(), properties);
    streams.setUncaughtExceptionHandler(this::failed);
  }

  @Override
  public void start() {
    streams.start();
    reader.start();
  }

  @Override
  public void rest() throws InterruptedException {
    reader.rest();
  }

  @Override
  public void leave() throws InterruptedException {
    streams.close(CLOSE_LIMIT);
    reader.leave();
  }

  private StreamThreadExceptionResponse failed(Throwable thrown) {
    book.noticed().exception(thrown);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }
}
