package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.EmbeddedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** kcat, and with it librdkafka, through the proxy. */
@ExtendWith(KafkaCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KcatIT {

  private static final int RECORDS = 500;

  private RunningProxy proxy;

  @BeforeAll
  void start(EmbeddedCluster kafka) {
    boolean there = Child.find("kcat").isPresent();
    if (!there) {
      System.err.println("SKIPPED: KcatIT, kcat is not installed (Debian package kcat)");
    }
    assumeTrue(there, "kcat is not installed");
    proxy = RunningProxy.inFrontOf(kafka, "orders");
  }

  @AfterAll
  void stop() {
    if (proxy != null) {
      proxy.close();
    }
  }

  @Test
  void it_lists_three_brokers_at_the_addresses_of_the_gateway() throws Exception {
    int first =
        proxy
            .proxy()
            .virtualCluster("orders")
            .orElseThrow()
            .spec()
            .gateways()
            .getFirst()
            .nodeStartPort();
    var listing = kcat("", "-L");
    assertThat(listing.exitStatus()).isZero();
    assertThat(listing.output())
        .contains("3 brokers:")
        .contains("broker 1 at 127.0.0.1:" + first)
        .contains("broker 2 at 127.0.0.1:" + (first + 1))
        .contains("broker 3 at 127.0.0.1:" + (first + 2));
  }

  @Test
  void what_it_produces_it_consumes() throws Exception {
    var topic = new Clients(proxy.bootstrapServers("orders")).topic();
    var lines = IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).collect(Collectors.toList());
    var produced = kcat(String.join("\n", lines) + "\n", "-P", "-t", topic);
    assertThat(produced.exitStatus()).as(produced.output()).isZero();
    var consumed = kcat("", "-C", "-t", topic, "-e", "-q");
    assertThat(consumed.exitStatus()).as(consumed.output()).isZero();
    assertThat(consumed.output().lines().toList()).containsExactlyInAnyOrderElementsOf(lines);
  }

  @Test
  void its_group_consumes_everything() throws Exception {
    var topic = new Clients(proxy.bootstrapServers("orders")).topic();
    var lines = IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).collect(Collectors.toList());
    assertThat(kcat(String.join("\n", lines) + "\n", "-P", "-t", topic).exitStatus()).isZero();
    var consumed =
        kcat(
            "",
            "-q",
            "-X",
            "auto.offset.reset=earliest",
            "-c",
            Integer.toString(RECORDS),
            "-G",
            topic,
            topic);
    assertThat(consumed.exitStatus()).as(consumed.output()).isZero();
    assertThat(consumed.output().lines().toList()).containsExactlyInAnyOrderElementsOf(lines);
  }

  private Child kcat(String input, String... arguments) throws InterruptedException {
    var command = new ArrayList<>(List.of("kcat", "-b", proxy.bootstrapServers("orders")));
    command.addAll(List.of(arguments));
    return Child.run(command, input);
  }
}
