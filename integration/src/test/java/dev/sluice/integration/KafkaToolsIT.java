package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.EmbeddedCluster;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Kafka's own console and performance tools through the proxy. */
@ExtendWith(KafkaCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KafkaToolsIT {

  private static final String TOOLS = "org.apache.kafka.tools.";

  private RunningProxy proxy;
  private String bootstrap;

  @BeforeAll
  void start(EmbeddedCluster kafka) {
    proxy = RunningProxy.inFrontOf(kafka, "orders");
    bootstrap = proxy.bootstrapServers("orders");
  }

  @AfterAll
  void stop() {
    proxy.close();
  }

  @Test
  void what_the_console_producer_sends_the_console_consumer_prints() throws Exception {
    var topic = new Clients(bootstrap).topic();
    List<String> lines =
        IntStream.range(0, 100).mapToObj(i -> "v" + i).collect(Collectors.toList());
    var produced =
        Child.kafkaTool(
            TOOLS + "ConsoleProducer",
            String.join("\n", lines) + "\n",
            "--bootstrap-server",
            bootstrap,
            "--topic",
            topic);
    assertThat(produced.exitStatus()).as(produced.output()).isZero();
    var consumed =
        Child.kafkaTool(
            TOOLS + "consumer.ConsoleConsumer",
            "",
            "--bootstrap-server",
            bootstrap,
            "--topic",
            topic,
            "--from-beginning",
            "--max-messages",
            "100");
    assertThat(consumed.exitStatus()).as(consumed.output()).isZero();
    assertThat(consumed.output().lines()).containsAll(lines);
  }

  @Test
  void the_performance_tools_run_to_their_end() throws Exception {
    var topic = new Clients(bootstrap).topic();
    var produced =
        Child.kafkaTool(
            TOOLS + "ProducerPerformance",
            "",
            "--topic",
            topic,
            "--num-records",
            "20000",
            "--record-size",
            "1000",
            "--throughput",
            "-1",
            "--producer-props",
            "bootstrap.servers=" + bootstrap);
    assertThat(produced.output()).contains("20000 records sent");
    assertThat(produced.exitStatus()).isZero();
    var consumed =
        Child.kafkaTool(
            TOOLS + "ConsumerPerformance",
            "",
            "--bootstrap-server",
            bootstrap,
            "--topic",
            topic,
            "--num-records",
            "20000");
    assertThat(consumed.exitStatus()).as(consumed.output()).isZero();
    assertThat(consumed.output()).contains("20000");
  }
}
