package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.FreePorts;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.VirtualClusterSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.net.ssl.SSLException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** TLS between real clients, the proxy and a real broker. */
@ExtendWith(SecureKafka.Given.class)
class TlsIT {

  private static final int RECORDS = 300;

  @Test
  void clients_and_brokers_are_spoken_with_in_tls(SecureKafka kafka) throws Exception {
    var spec =
        SecureProxy.speaking(
            SecureProxy.showing(
                SecureProxy.byPort("orders", kafka.at(SecureKafka.TLS)), kafka.shown()),
            kafka.trusting());
    try (var proxy = running(spec)) {
      converse(proxy.bootstrapServers("orders"), kafka.trustingClient());
    }
  }

  @Test
  void both_sides_show_a_certificate_to_the_other(SecureKafka kafka) throws Exception {
    var spec =
        SecureProxy.speaking(
            SecureProxy.showing(
                SecureProxy.byPort("orders", kafka.at(SecureKafka.MUTUAL)), kafka.shownAndAsked()),
            kafka.trustingAndShowing());
    try (var proxy = running(spec)) {
      converse(proxy.bootstrapServers("orders"), kafka.showingClient());

      assertThatThrownBy(() -> topic(proxy.bootstrapServers("orders"), kafka.trustingClient()))
          .rootCause()
          .isInstanceOfAny(SslAuthenticationException.class, SSLException.class);
    }
  }

  @Test
  void a_client_that_does_not_trust_the_gateway_is_not_served(SecureKafka kafka) {
    var spec =
        SecureProxy.speaking(
            SecureProxy.showing(
                SecureProxy.byPort("orders", kafka.at(SecureKafka.TLS)), kafka.shown()),
            kafka.trusting());
    try (var proxy = running(spec)) {
      assertThatThrownBy(
              () -> topic(proxy.bootstrapServers("orders"), Map.of("security.protocol", "SSL")))
          .hasStackTraceContaining("SslAuthenticationException");
    }
  }

  @Test
  void a_client_of_a_host_name_produces_and_consumes(SecureKafka kafka) throws Exception {
    int port = FreePorts.inARow(1);
    var spec =
        SecureProxy.speaking(
            SecureProxy.byHostName("orders", kafka.at(SecureKafka.TLS), port, kafka.shown()),
            kafka.trusting());
    try (var _ = running(spec)) {
      converse("orders.sluice.test:" + port, kafka.trustingClient());
      assertThatThrownBy(() -> topic("nobody.sluice.test:" + port, kafka.trustingClient()))
          .hasStackTraceContaining("unrecognized_name");
    }
  }

  @Test
  void a_broker_by_a_name_that_its_certificate_is_not_for_is_believed_only_if_anybody_is(
      SecureKafka kafka) throws Exception {
    var broker = kafka.at(SecureKafka.TLS).getFirst();
    var elsewhere = List.of(new Endpoint("kafka.sluice.test", broker.port()));
    var plain = SecureProxy.byPort("orders", elsewhere);
    try (var proxy = running(SecureProxy.speaking(plain, kafka.trusting()))) {
      assertThatThrownBy(
              () ->
                  topic(
                      proxy.bootstrapServers("orders"),
                      Map.of("request.timeout.ms", "1000", "default.api.timeout.ms", "2000")))
          .hasStackTraceContaining("TimeoutException");
    }
    try (var proxy = running(SecureProxy.speaking(plain, kafka.trustingAnybody()))) {
      converse(proxy.bootstrapServers("orders"), Map.of());
    }
  }

  @Test
  void kcat_speaks_tls_with_a_gateway(SecureKafka kafka) throws Exception {
    if (Child.find("kcat").isEmpty()) {
      System.err.println("SKIPPED: kcat is not installed (Debian package kcat)");
    }
    assumeTrue(Child.find("kcat").isPresent(), "kcat is not installed");
    var spec =
        SecureProxy.speaking(
            SecureProxy.showing(
                SecureProxy.byPort("orders", kafka.at(SecureKafka.TLS)), kafka.shown()),
            kafka.trusting());
    try (var proxy = running(spec)) {
      var servers = proxy.bootstrapServers("orders");
      var topic = topic(servers, kafka.trustingClient());
      var ca = kafka.authority().root().certificates(kafka.folder().resolve("ca.pem"));
      var secure =
          List.of(
              "-X",
              "security.protocol=SSL",
              "-X",
              "ssl.ca.location=" + ca,
              "-b",
              servers,
              "-t",
              topic);
      var lines = IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).toList();
      var produced = kcat(secure, String.join("\n", lines) + "\n", "-P");
      assertThat(produced.exitStatus()).as(produced.output()).isZero();
      var consumed = kcat(secure, "", "-C", "-e", "-q");
      assertThat(consumed.output().lines()).containsExactlyInAnyOrderElementsOf(lines);
    }
  }

  // ---- in the words of the tests -------------------------------------------------------------

  static RunningProxy running(VirtualClusterSpec... specs) {
    var proxy = RunningProxy.start(List.of(specs), RunningProxy.REMAINING);
    proxy.awaitServing();
    return proxy;
  }

  private static Child kcat(List<String> secure, String input, String... more)
      throws InterruptedException {
    var command = new ArrayList<>(List.of("kcat"));
    command.addAll(secure);
    command.addAll(List.of(more));
    return Child.run(command, input);
  }

  /** Makes a topic, produces and consumes. */
  static void converse(String servers, Map<String, String> settings) throws Exception {
    var topic = topic(servers, settings);
    var clients = new Clients(servers);
    try (var producer = clients.producer(new HashMap<>(settings));
        var consumer = clients.consumer("g-" + topic, new HashMap<>(settings))) {
      Clients.produce(producer, topic, RECORDS);
      consumer.subscribe(List.of(topic));
      assertThat(Clients.consume(consumer, RECORDS))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).toList());
    }
  }

  static String topic(String servers, Map<String, String> settings) throws Exception {
    var topic = "t-" + UUID.randomUUID();
    var all = new Clients(servers).settings(new HashMap<>(settings));
    try (var admin = Admin.create(all)) {
      Clients.done(admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all());
    }
    return topic;
  }
}
