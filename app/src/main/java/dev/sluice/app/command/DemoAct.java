package dev.sluice.app.command;

import java.util.List;

/**
 * A part of the story that {@code sluice demo} tells: it has clients and a verdict of its own.
 *
 * @param name in JSON
 * @param says what it is about
 * @param cast its clients, of each virtual cluster
 * @param steps in order
 */
record DemoAct(String name, String says, List<DemoCast> cast, List<DemoStep> steps) {

  /** The story, in order. */
  static List<DemoAct> story() {
    return List.of(
        new DemoAct(
            "proxy",
            "Part one: the proxy changes, and Kafka stays as it is.",
            DemoCast.whileTheProxyChanges(),
            DemoStep.story()),
        new DemoAct(
            "kafka",
            "Part two: Kafka is restarted server by server, and the proxy stays as it is. Producers"
                + " are idempotent now: without that Kafka itself may write a record twice when a"
                + " broker goes.",
            DemoCast.whileKafkaChanges(),
            DemoStep.storyOfKafka()));
  }
}
