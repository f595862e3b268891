package dev.sluice.audit;

import dev.sluice.audit.ledger.Stamp;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** A Java producer without transactions, one record at a time. */
final class PlainProducer implements AuditedClient {

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

  private final Channel channel;
  private final Load load;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Pace pace;
  private final ClientThread thread;

  PlainProducer(Channel channel, Load load, Map<String, Object> settings) {
    this.channel = channel;
    this.load = load;
    pace = new Pace(load.firstRate());
    producer = new KafkaProducer<>(settings);
    thread = new ClientThread("audit-load " + channel.client(), this::send);
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void keepTo(int recordsPerSecond) {
    pace.change(recordsPerSecond);
  }

  @Override
  public void rest() throws InterruptedException {
    thread.end();
    producer.close(CLOSE_LIMIT);
  }

  @Override
  public void leave() throws InterruptedException {
    thread.end(); // An audit that is given up never came to rest.
    producer.close(Duration.ZERO);
  }

  private void send() {
    for (long sequence = 0; thread.goesOn(); sequence++) {
      pace.await();
      send(sequence);
    }
    producer.flush();
    channel.noticed().rested(System.nanoTime());
  }

  private void send(long sequence) {
    var stamp = new Stamp(channel.client(), sequence);
    var sent = new ProducerRecord<>(channel.topic(), stamp.key(), stamp.value(load.valueBytes()));
    channel.written().sent(sequence);
    try {
      Future<?> _ = producer.send(sent, (_, failure) -> answered(sequence, failure));
    } catch (KafkaException e) {
      channel.noticed().exception(e);
    }
  }

  private void answered(long sequence, @Nullable Exception failure) {
    if (failure == null) {
      channel.acknowledged(sequence);
    } else {
      channel.noticed().exception(failure);
    }
  }
}
