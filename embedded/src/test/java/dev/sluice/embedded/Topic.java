package dev.sluice.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A topic with one partition, written and read by real clients. */
record Topic(EmbeddedCluster cluster, String name) {

  private static final Duration READ_LIMIT = Duration.ofSeconds(60);
  private static final long ANSWER_SECONDS = 60;

  static Topic create(EmbeddedCluster cluster, String name) throws Exception {
    try (Admin admin = Admin.create(bootstrap(cluster))) {
      admin
          .createTopics(List.of(new NewTopic(name, Optional.of(1), Optional.empty())))
          .all()
          .get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }
    return new Topic(cluster, name);
  }

  /** Writes the values 0, 1, ... with acks=all. */
  Topic write(int count) throws Exception {
    var serializer = new StringSerializer();
    try (var producer = new KafkaProducer<>(bootstrap(cluster), serializer, serializer)) {
      for (int i = 0; i < count; i++) {
        producer
            .send(new ProducerRecord<>(name, Integer.toString(i)))
            .get(ANSWER_SECONDS, TimeUnit.SECONDS);
      }
    }
    return this;
  }

  /** Reads as many values from the beginning; fewer if the limit is over. */
  List<String> read(int count) {
    var deserializer = new StringDeserializer();
    List<String> values = new ArrayList<>();
    long deadline = System.nanoTime() + READ_LIMIT.toNanos();
    try (var consumer = new KafkaConsumer<>(bootstrap(cluster), deserializer, deserializer)) {
      var partition = new TopicPartition(name, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (values.size() < count && System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
      }
    }
    return values;
  }

  static List<String> values(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  static Map<String, Object> bootstrap(EmbeddedCluster cluster) {
    return Map.of("bootstrap.servers", cluster.bootstrapServers());
  }
}
