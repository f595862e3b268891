package dev.sluice.audit;

import dev.sluice.audit.ledger.Stamp;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * A Java producer with transactions, several in a second. A record counts as acknowledged when its
 * transaction is committed; of a commit that failed nothing is claimed.
 */
final class TransactionalProducer implements AuditedClient {

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);
  private static final int TRANSACTIONS_PER_SECOND = 5;

  private final Channel channel;
  private final Load load;
  private final Map<String, Object> settings;
  private final Pace pace;
  private final ClientThread thread;
  private long next;

  TransactionalProducer(Channel channel, Load load, Map<String, Object> settings) {
    this.channel = channel;
    this.load = load;
    this.settings = settings;
    pace = new Pace(load.firstRate());
    thread = new ClientThread("audit-load " + channel.client(), this::work);
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
  }

  @Override
  public void leave() throws InterruptedException {
    thread.end(); // An audit that is given up never came to rest.
  }

  /** A producer that cannot go on is replaced, as an application does: the error is counted. */
  private void work() {
    while (thread.goesOn()) {
      var producer = new KafkaProducer<byte[], byte[]>(settings);
      try {
        producer.initTransactions();
        while (thread.goesOn()) {
          transact(producer);
        }
      } catch (KafkaException e) {
        channel.noticed().exception(e);
        pace.await();
      } finally {
        producer.close(CLOSE_LIMIT);
      }
    }
    channel.noticed().rested(System.nanoTime());
  }

  private void transact(KafkaProducer<byte[], byte[]> producer) {
    long first = next;
    int records = Math.max(1, pace.perSecond() / TRANSACTIONS_PER_SECOND);
    try {
      producer.beginTransaction();
      while (next < first + records && thread.goesOn()) {
        pace.await();
        send(producer, next++);
      }
      producer.commitTransaction();
    } catch (KafkaException e) {
      channel.noticed().exception(e);
      producer.abortTransaction();
      return;
    }
    for (long sequence = first; sequence < next; sequence++) {
      channel.acknowledged(sequence);
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer, long sequence) {
    var stamp = new Stamp(channel.client(), sequence);
    channel.written().sent(sequence);
    Future<?> _ =
        producer.send(
            new ProducerRecord<>(channel.topic(), stamp.key(), stamp.value(load.valueBytes())));
  }
}
