package dev.sluice.integration;

import dev.sluice.protocol.Endpoint;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where somebody may be bad.
 *
 * @param abused in front of Kafka
 * @param secured the same with TLS
 * @param moody in front of what is no broker
 * @param refused in front of nobody
 * @param largeAt where there is a large topic's leader
 * @param largeTopic its name
 */
record Targets(
    Endpoint abused,
    Endpoint secured,
    Endpoint moody,
    Endpoint refused,
    Endpoint largeAt,
    String largeTopic) {

  /** As words of a line. */
  String words() {
    return Stream.of(abused, secured, moody, refused, largeAt, largeTopic)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }

  static Targets of(List<String> words) {
    var at =
        words.stream().limit(5).flatMap(word -> RunningProxy.endpoints(word).stream()).toList();
    return new Targets(at.get(0), at.get(1), at.get(2), at.get(3), at.get(4), words.getLast());
  }
}
