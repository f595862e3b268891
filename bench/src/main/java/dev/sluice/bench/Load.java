package dev.sluice.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Produces and consumes with Kafka's own clients and counts what it gets. */
final class Load {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final int BATCH_BYTES = 64 * 1024;

  /** Room for a record of 1 MiB and what the protocol adds. */
  private static final int MAX_REQUEST_BYTES = 4 << 20;

  private static final short ONE_REPLICA = 1;

  private Load() {}

  /** Returns how many nanoseconds the bytes took, without connecting and saying good-bye. */
  static long obey(LoadRequest request) throws Exception {
    return switch (request.verb()) {
      case CREATE -> create(request);
      case PRODUCE -> produce(request);
      case CONSUME -> consume(request);
      case DELETE -> delete(request);
    };
  }

  private static long create(LoadRequest request)
      throws InterruptedException, ExecutionException, TimeoutException {
    try (var admin = Admin.create(settings(request, Map.of()))) {
      var topic = new NewTopic(request.topic(), request.partitions(), ONE_REPLICA);
      admin.createTopics(List.of(topic)).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return 0;
  }

  private static long delete(LoadRequest request)
      throws InterruptedException, ExecutionException, TimeoutException {
    try (var admin = Admin.create(settings(request, Map.of()))) {
      admin
          .deleteTopics(List.of(request.topic()))
          .all()
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return 0;
  }

  private static long produce(LoadRequest request) {
    var settings =
        settings(
            request,
            Map.of(
                ProducerConfig.ACKS_CONFIG,
                "1",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                false,
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "none",
                ProducerConfig.BATCH_SIZE_CONFIG,
                BATCH_BYTES,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                MAX_REQUEST_BYTES));
    byte[] value = new byte[request.recordBytes()];
    new Random(request.recordBytes()).nextBytes(value);
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.partitionsFor(request.topic());
      long begin = System.nanoTime();
      for (int i = 0; i < request.records(); i++) {
        producer.send(
            new ProducerRecord<>(request.topic(), i % request.partitions(), null, value),
            (_, failed) -> {
              if (failed != null) {
                failure.compareAndSet(null, failed);
              }
            });
      }
      producer.flush();
      long took = System.nanoTime() - begin;
      if (failure.get() != null) {
        throw new IllegalStateException("a record was not acknowledged: " + failure.get());
      }
      return took;
    }
  }

  private static long consume(LoadRequest request) {
    var settings = settings(request, Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false));
    var partitions =
        IntStream.range(0, request.partitions())
            .mapToObj(partition -> new TopicPartition(request.topic(), partition))
            .toList();
    try (var consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      consumer.partitionsFor(request.topic());
      long begin = System.nanoTime();
      long moved = begin;
      long records = 0;
      long bytes = 0;
      while (records < request.records()) {
        var some = consumer.poll(POLL);
        for (var one : some) {
          bytes += one.value().length;
        }
        records += some.count();
        long now = System.nanoTime();
        if (some.count() > 0) {
          moved = now;
        } else if (now - moved > PATIENCE.toNanos()) {
          break;
        }
      }
      long took = System.nanoTime() - begin;
      check(request, records, bytes);
      return took;
    }
  }

  private static void check(LoadRequest request, long records, long bytes) {
    long expected = (long) request.records() * request.recordBytes();
    if (records != request.records() || bytes != expected) {
      throw new IllegalStateException(
          "expected %d records of %d bytes in all, found %d of %d"
              .formatted(request.records(), expected, records, bytes));
    }
  }

  private static Map<String, Object> settings(LoadRequest request, Map<String, Object> more) {
    var settings = new HashMap<>(more);
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, request.bootstrapServers());
    return settings;
  }
}
