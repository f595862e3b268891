package dev.sluice.bench;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SslConfigs;

/** How Kafka's clients are set up. */
final class ClientSettings {

  private static final int BATCH_BYTES = 64 * 1024;

  /** Room for a record of 1 MiB and what the protocol adds. */
  private static final int MAX_REQUEST_BYTES = 4 << 20;

  private ClientSettings() {}

  /** Of a producer: acks of one, no compression, batches of 64 KiB. */
  static Map<String, Object> producer(LoadRequest request) {
    return settings(
        request,
        Map.of(
            ProducerConfig.ACKS_CONFIG,
            "1",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            false,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "none",
            ProducerConfig.LINGER_MS_CONFIG,
            request.lingerMillis(),
            ProducerConfig.BATCH_SIZE_CONFIG,
            BATCH_BYTES,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            MAX_REQUEST_BYTES));
  }

  static Map<String, Object> consumer(LoadRequest request) {
    return settings(request, Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false));
  }

  static Map<String, Object> admin(LoadRequest request) {
    return settings(request, Map.of());
  }

  private static Map<String, Object> settings(LoadRequest request, Map<String, Object> more) {
    var settings = new HashMap<>(more);
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, request.bootstrapServers());
    if (!request.trust().equals(LoadRequest.PLAIN)) {
      settings.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "SSL");
      settings.put(SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG, "PEM");
      settings.put(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, request.trust());
    }
    return settings;
  }
}
