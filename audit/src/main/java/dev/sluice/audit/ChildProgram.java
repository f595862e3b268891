package dev.sluice.audit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Clients in other languages. Each runs twice: as a producer, and as a reader of what it wrote. */
enum ChildProgram {
  /** librdkafka, which ignores the pause of KIP-219. */
  CONFLUENT_KAFKA("confluent-kafka", true),
  KAFKA_PYTHON("kafka-python", true),
  AIOKAFKA("aiokafka"),
  KAFKAJS("kafkajs"),
  FRANZ_GO("franz-go", true),
  SARAMA("sarama"),
  KCAT("kcat", true);

  private final String clientName;
  private final boolean provesItself;

  ChildProgram(String clientName) {
    this(clientName, false);
  }

  ChildProgram(String clientName, boolean provesItself) {
    this.clientName = clientName;
    this.provesItself = provesItself;
  }

  /** Whether the program can be told a {@link ClientSecurity}. */
  boolean provesItself() {
    return provesItself;
  }

  String clientName() {
    return clientName;
  }

  String readerName() {
    return clientName + "-reader";
  }

  /** What starts it, where {@code audit/clients/setup} put it. */
  Optional<Path> launcher(Path folder) {
    return Optional.of(folder.resolve("bin").resolve(clientName)).filter(Files::isExecutable);
  }

  static List<String> names() {
    return Arrays.stream(values()).map(ChildProgram::clientName).toList();
  }
}
