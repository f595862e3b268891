package dev.sluice.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Does what it is asked: produces and consumes with Kafka's own clients and counts what it gets.
 */
final class Load {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(500);

  /** Of what is moved: comes before what counts. */
  private static final int LEAD_PART = 5;

  private static final short ONE_REPLICA = 1;

  private final IdleLoad idle = new IdleLoad();

  LoadAnswer obey(LoadRequest request) throws Exception {
    return switch (request.verb()) {
      case CREATE -> create(request);
      case PRODUCE -> produce(request);
      case CONSUME -> consume(request);
      case PACE -> PacedLoad.pace(request);
      case ASK -> AskingLoad.ask(request);
      case OPEN -> open(request);
      case LINGER -> idle.linger(request.amount());
      case CLOSE -> idle.close();
      case DELETE -> delete(request);
    };
  }

  private LoadAnswer open(LoadRequest request) throws IOException {
    var span = Span.of(request.pid());
    idle.open(request.bootstrapServers(), request.amount());
    return span.end();
  }

  private static LoadAnswer create(LoadRequest request)
      throws InterruptedException, ExecutionException, TimeoutException {
    var span = Span.of(request.pid());
    try (var admin = Admin.create(ClientSettings.admin(request))) {
      var topic = new NewTopic(request.topic(), request.records().partitions(), ONE_REPLICA);
      admin.createTopics(List.of(topic)).all().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return span.end();
  }

  private static LoadAnswer delete(LoadRequest request)
      throws InterruptedException, ExecutionException, TimeoutException {
    var span = Span.of(request.pid());
    try (var admin = Admin.create(ClientSettings.admin(request))) {
      admin
          .deleteTopics(List.of(request.topic()))
          .all()
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    return span.end();
  }

  private static LoadAnswer produce(LoadRequest request) {
    byte[] value = new byte[request.records().bytes()];
    new Random(value.length).nextBytes(value);
    int lead = request.amount() / LEAD_PART;
    int partitions = request.records().partitions();
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    try (var producer =
        new KafkaProducer<>(
            ClientSettings.producer(request),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.partitionsFor(request.topic());
      var span = Span.of(request.pid());
      for (int i = 0; i < request.amount(); i++) {
        if (i == lead) {
          span = Span.of(request.pid());
        }
        producer.send(
            new ProducerRecord<>(request.topic(), i % partitions, null, value),
            (_, failed) -> {
              if (failed != null) {
                failure.compareAndSet(null, failed);
              }
            });
      }
      producer.flush();
      var answer = span.end();
      if (failure.get() != null) {
        throw new IllegalStateException("a record was not acknowledged: " + failure.get());
      }
      return answer.with((double) (request.amount() - lead) * value.length);
    }
  }

  private static LoadAnswer consume(LoadRequest request) {
    var partitions =
        IntStream.range(0, request.records().partitions())
            .mapToObj(partition -> new TopicPartition(request.topic(), partition))
            .toList();
    try (var consumer =
        new KafkaConsumer<>(
            ClientSettings.consumer(request),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      consumer.partitionsFor(request.topic());
      return consume(request, consumer);
    }
  }

  private static LoadAnswer consume(LoadRequest request, KafkaConsumer<byte[], byte[]> consumer) {
    int lead = request.amount() / LEAD_PART;
    var span = Span.of(request.pid());
    long moved = System.nanoTime();
    long records = 0;
    long bytes = 0;
    long leadBytes = 0;
    while (records < request.amount()) {
      var some = consumer.poll(POLL);
      for (var one : some) {
        bytes += one.value().length;
      }
      boolean ends = records < lead && records + some.count() >= lead;
      records += some.count();
      if (ends) {
        leadBytes = bytes;
        span = Span.of(request.pid());
      }
      if (some.count() > 0) {
        moved = System.nanoTime();
      } else if (System.nanoTime() - moved > PATIENCE.toNanos()) {
        break;
      }
    }
    var answer = span.end();
    check(request, records, bytes);
    return answer.with((double) (bytes - leadBytes));
  }

  private static void check(LoadRequest request, long records, long bytes) {
    long expected = (long) request.amount() * request.records().bytes();
    if (records != request.amount() || bytes != expected) {
      throw new IllegalStateException(
          "expected %d records of %d bytes in all, found %d of %d"
              .formatted(request.amount(), expected, records, bytes));
    }
  }
}
