package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Client.Courtesy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which client software is known to pause when it is asked to (KIP-219), and which is not. */
final class Courtesies {

  private static final List<String> HONOUR = List.of("apache-kafka-java", "kgo", "sarama");

  /** librdkafka under its own name, and as its bindings call themselves. */
  private static final List<String> IGNORE = List.of("librdkafka", "confluent-kafka", "rdkafka");

  private Courtesies() {}

  /**
   * What is known of a client's manners.
   *
   * @param software as it named itself; null where it did not
   */
  static Courtesy of(@Nullable String software) {
    if (software == null) {
      return Courtesy.UNKNOWN;
    }
    if (HONOUR.stream().anyMatch(software::startsWith)) {
      return Courtesy.HONOURS;
    }
    return IGNORE.stream().anyMatch(software::startsWith) ? Courtesy.IGNORES : Courtesy.UNKNOWN;
  }
}
