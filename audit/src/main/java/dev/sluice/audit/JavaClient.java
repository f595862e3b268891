package dev.sluice.audit;

import dev.sluice.audit.ledger.ClientReport.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;

/** The Java clients: every kind that behaves in its own way when a connection ends. */
enum JavaClient {
  /** Nothing is ever answered: what is not forwarded is lost. */
  ACKS0("java-acks0", Role.PRODUCER, null),
  ACKS1("java-acks1", Role.PRODUCER, null),
  /** Five requests in flight and nothing that keeps their order: reorders and duplicates first. */
  PLAIN("java-plain", Role.PRODUCER, null),
  IDEMPOTENT("java-idempotent", Role.PRODUCER, null),
  TRANSACTIONAL("java-transactional", Role.PRODUCER, null),
  CLASSIC("java-classic", Role.READER, PLAIN),
  /** The group protocol of KIP-848. */
  CONSUMER("java-consumer", Role.READER, TRANSACTIONAL),
  SHARE("java-share", Role.READER, ACKS1),
  STREAMS("java-streams", Role.COPIER, IDEMPOTENT);

  private final String clientName;
  private final Role role;
  private final @Nullable JavaClient readsFrom;

  JavaClient(String clientName, Role role, @Nullable JavaClient readsFrom) {
    this.clientName = clientName;
    this.role = role;
    this.readsFrom = readsFrom;
  }

  String clientName() {
    return clientName;
  }

  Role role() {
    return role;
  }

  Optional<JavaClient> readsFrom() {
    return Optional.ofNullable(readsFrom);
  }

  /** What makes it the client that it is; all else is Kafka's default. */
  Map<String, Object> settings() {
    return switch (this) {
      case ACKS0 -> producing(false, "0");
      case ACKS1 -> producing(false, "1");
      case PLAIN -> producing(false, "all");
      case IDEMPOTENT, TRANSACTIONAL -> producing(true, "all");
      case CLASSIC -> Map.of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
      case CONSUMER -> Map.of(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "consumer");
      case SHARE -> Map.of();
      case STREAMS ->
          Map.of(
              StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
              StreamsConfig.EXACTLY_ONCE_V2,
              StreamsConfig.COMMIT_INTERVAL_MS_CONFIG,
              100);
    };
  }

  /** Whether records come to it in order: a share group promises none. */
  boolean ordered() {
    return this != SHARE;
  }

  static List<String> names() {
    return Arrays.stream(values()).map(JavaClient::clientName).toList();
  }

  private static Map<String, Object> producing(boolean idempotent, String acks) {
    return Map.of(
        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
        idempotent,
        ProducerConfig.ACKS_CONFIG,
        acks,
        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
        5);
  }
}
