package dev.sluice.audit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Clients in other languages. Each runs twice: as a producer, and as a reader of what it wrote. */
enum ChildProgram {
  /** librdkafka, which ignores the pause of KIP-219. */
  CONFLUENT_KAFKA("confluent-kafka"),
  KAFKA_PYTHON("kafka-python"),
  AIOKAFKA("aiokafka"),
  KAFKAJS("kafkajs"),
  FRANZ_GO("franz-go"),
  SARAMA("sarama"),
  KCAT("kcat");

  private final String clientName;

  ChildProgram(String clientName) {
    this.clientName = clientName;
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
