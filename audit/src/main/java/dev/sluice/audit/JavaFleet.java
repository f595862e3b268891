package dev.sluice.audit;

import dev.sluice.audit.ledger.ClientReport.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;

/** Makes the Java clients of one run. */
final class JavaFleet {

  private final AuditPlan plan;
  private final RunName run;

  JavaFleet(AuditPlan plan, RunName run) {
    this.plan = plan;
    this.run = run;
  }

  AuditedClient producer(JavaClient client, Channel channel) {
    var settings = settings(client);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    if (client == JavaClient.TRANSACTIONAL) {
      settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, run.of(client.clientName()));
      return new TransactionalProducer(channel, plan.load(), settings);
    }
    return new PlainProducer(channel, plan.load(), settings);
  }

  AuditedClient reader(JavaClient client, ReaderBook book) {
    if (client.role() == Role.COPIER) {
      return copier(client, book);
    }
    var settings = settings(client);
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, run.of(client.clientName()));
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    if (client == JavaClient.SHARE) {
      return new PollingReader(book, it -> new SharePoller(it, settings));
    }
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return new PollingReader(book, it -> new GroupPoller(it, settings));
  }

  private AuditedClient copier(JavaClient client, ReaderBook book) {
    var settings = settings(client);
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, run.of(client.clientName()));
    settings.put(StreamsConfig.STATE_DIR_CONFIG, stateFolder().toString());
    settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    String copy = run.copyOf(client.clientName());
    var partitions =
        IntStream.range(0, plan.partitions()).mapToObj(i -> new TopicPartition(copy, i)).toList();
    var reading = Witness.settings(plan.witnessServers(), run, "copy");
    var reader = new PollingReader(book, _ -> new WholeTopicPoller(partitions, reading));
    return new StreamsCopier(book, settings, copy, reader);
  }

  /** Streams keeps a lock file there; it removes what it made, the folder goes with the run. */
  private static Path stateFolder() {
    try {
      Path folder = Files.createTempDirectory("sluice-audit");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("Expected to make a temporary folder, could not", e);
    }
  }

  private Map<String, Object> settings(JavaClient client) {
    var settings = new HashMap<String, Object>(client.settings());
    settings.putAll(plan.settings());
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, plan.bootstrapServers());
    settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, run.client(client.clientName()));
    return settings;
  }

  /** The topics that clients write besides the channels. */
  List<String> copies() {
    return plan.clients().java().stream()
        .filter(client -> client.role() == Role.COPIER)
        .map(client -> run.copyOf(client.clientName()))
        .toList();
  }
}
