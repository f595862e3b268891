package dev.sluice.integration;

import static dev.sluice.integration.Clients.done;
import static org.awaitility.Awaitility.await;

import dev.sluice.embedded.EmbeddedCluster;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What a slow reader asks for. It is removed when this is closed. */
final class LargeTopic implements AutoCloseable {

  /** What there is, and what is asked for at once, in bytes. */
  static final int LARGE = 32 << 20;

  private static final int RECORD = 1_000_000;

  /** The last that names topics by name. */
  private static final short FETCH_VERSION = 12;

  /** What a slow reader takes at once, in bytes. */
  private static final int BITE = 64 * 1024;

  private static final int MOST_BITES = 100;
  private static final long BETWEEN_BITES_NANOS = 20_000_000;

  private final EmbeddedCluster kafka;
  private final String name = "large-" + UUID.randomUUID();
  private final int leader;

  LargeTopic(EmbeddedCluster kafka) throws Exception {
    this.kafka = kafka;
    var clients = new Clients(kafka.bootstrapServers());
    try (var admin = clients.admin()) {
      done(admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all());
      leader =
          await("whoever is asked knows of the topic")
              .atMost(Clients.PATIENCE)
              .ignoreExceptionsInstanceOf(ExecutionException.class)
              .until(() -> leader(admin, name), id -> id > 0);
    }
    try (var producer =
        new KafkaProducer<>(
            clients.settings(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
      var sent = new ArrayList<Future<?>>();
      for (int i = 0; i <= LARGE / RECORD; i++) {
        sent.add(producer.send(new ProducerRecord<>(name, new byte[RECORD])));
      }
      for (var one : sent) {
        one.get(Clients.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  private static int leader(Admin admin, String name) throws Exception {
    var described = done(admin.describeTopics(List.of(name)).allTopicNames());
    var partition = Objects.requireNonNull(described.get(name)).partitions().getFirst();
    return partition.leader() == null ? -1 : partition.leader().id();
  }

  String name() {
    return name;
  }

  /** The id of the server where it is. */
  int leader() {
    return leader;
  }

  /** Asks for a large answer, takes some of it, and leaves the rest where it is. */
  static void readSlowly(Abuser by, Targets targets) throws IOException {
    var socket = by.connect(targets.largeAt(), BITE);
    RawClient.write(socket, fetch(targets.largeTopic()), FETCH_VERSION);
    var bytes = new byte[BITE];
    for (int bites = 0; bites < MOST_BITES; bites++) {
      takeBite(socket, bytes);
      LockSupport.parkNanos(BETWEEN_BITES_NANOS);
    }
  }

  private static void takeBite(Socket socket, byte[] bytes) throws IOException {
    int taken = socket.getInputStream().readNBytes(bytes, 0, bytes.length);
    if (taken < bytes.length) {
      throw new IOException("it has ended");
    }
  }

  private static FetchRequestData fetch(String topic) {
    return new FetchRequestData()
        .setMaxBytes(LARGE)
        .setMinBytes(1)
        .setTopics(
            List.of(
                new FetchTopic()
                    .setTopic(topic)
                    .setPartitions(List.of(new FetchPartition().setPartitionMaxBytes(LARGE)))));
  }

  @Override
  public void close() {
    try (var admin = new Clients(kafka.bootstrapServers()).admin()) {
      done(admin.deleteTopics(List.of(name)).all());
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException("could not remove " + name, e);
    }
  }
}
