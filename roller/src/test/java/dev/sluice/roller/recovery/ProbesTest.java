package dev.sluice.roller.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.planner.reading.RecoveryReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProbesTest {

  private static final ServerSpec BROKER = new ServerSpec(1, Set.of(Role.BROKER), Optional.empty());
  private static final ServerSpec CONTROLLER =
      new ServerSpec(2, Set.of(Role.CONTROLLER), Optional.empty());
  private static final Duration LIMIT = Duration.ofMillis(500);

  /** For answers that come. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static RecoveryReading answered(ServerSpec server, int status, String body)
      throws IOException, InterruptedException {
    var agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    agent.createContext(
        "/v1/broker-state",
        exchange -> {
          try (exchange) {
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    agent.start();
    try {
      var uri = URI.create("http://127.0.0.1:" + agent.getAddress().getPort());
      return new HttpAgentProbe(_ -> uri, PATIENCE).look(server);
    } finally {
      agent.stop(0);
    }
  }

  @Test
  void an_agent_tells_of_a_recovery_and_what_is_left_of_it() throws Exception {
    assertThat(
            answered(
                BROKER,
                200,
                "{\"brokerState\":2,\"recoveryState\":{\"remainingLogsToRecover\":10,\"remainingSegmentsToRecover\":100}}"))
        .isEqualTo(new RecoveryReading(true, 10, 100));
  }

  @Test
  void a_broker_replays_its_logs_in_the_state_of_one_that_starts() throws Exception {
    var left =
        "\"recoveryState\":{\"remainingLogsToRecover\":%d,\"remainingSegmentsToRecover\":%d}";
    assertThat(answered(BROKER, 200, "{\"brokerState\":1," + left.formatted(10, 0) + "}"))
        .isEqualTo(new RecoveryReading(true, 10, 0));
    assertThat(answered(BROKER, 200, "{\"brokerState\":1," + left.formatted(0, 0) + "}"))
        .isEqualTo(RecoveryReading.NOT_RECOVERING);
  }

  @Test
  void of_a_broker_that_starts_it_is_not_known_unless_the_agent_says_what_is_left() {
    assertThatThrownBy(() -> answered(BROKER, 200, "{\"brokerState\":1}"))
        .hasMessageContaining("not whether it replays");
  }

  @Test
  void a_broker_that_runs_positively_does_not_recover() throws Exception {
    assertThat(answered(BROKER, 200, "{\"brokerState\":3}"))
        .isEqualTo(RecoveryReading.NOT_RECOVERING);
  }

  @Test
  void a_server_that_is_only_a_controller_has_no_such_metric_and_does_not_recover()
      throws Exception {
    assertThat(answered(CONTROLLER, 404, "Broker state metric not found"))
        .isEqualTo(RecoveryReading.NOT_RECOVERING);
  }

  @Test
  void what_an_agent_does_not_tell_is_not_known() {
    for (var body : new String[] {"no json", "{}", "{\"brokerState\":127}", "[]"}) {
      assertThatThrownBy(() -> answered(BROKER, 200, body)).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> answered(BROKER, 404, "")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> answered(BROKER, 500, "")).isInstanceOf(IOException.class);
  }

  @Test
  @Timeout(60)
  void an_agent_that_is_silent_costs_its_time_out() throws Exception {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var uri = URI.create("http://127.0.0.1:" + silent.getLocalPort());

      assertThatThrownBy(() -> new HttpAgentProbe(_ -> uri, LIMIT).look(BROKER))
          .isInstanceOf(IOException.class);
    }
  }

  /** What Kafka's gauges look like over JMX. */
  public interface GaugeMBean {
    int getValue();
  }

  private static JMXConnectorServer jmx(Map<String, Integer> gauges) throws Exception {
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    for (var gauge : gauges.entrySet()) {
      GaugeMBean value = gauge::getValue;
      beans.registerMBean(
          new StandardMBean(value, GaugeMBean.class), new ObjectName(gauge.getKey()));
    }
    var server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("rmi", "127.0.0.1", 0), Map.of(), beans);
    server.start();
    return server;
  }

  @Test
  void jmx_tells_the_same_and_adds_up_the_folders() throws Exception {
    var server =
        jmx(
            Map.of(
                "kafka.server:type=KafkaServer,name=BrokerState",
                2,
                "kafka.log:type=LogManager,name=remainingLogsToRecover,dir=\"/a\"",
                3,
                "kafka.log:type=LogManager,name=remainingLogsToRecover,dir=\"/b\"",
                4,
                "kafka.log:type=LogManager,name=remainingSegmentsToRecover,dir=\"/a\",threadNum=0",
                50));
    try {
      var probe = new JmxProbe(_ -> server.getAddress(), PATIENCE);
      assertThat(probe.look(BROKER)).isEqualTo(new RecoveryReading(true, 7, 50));
      assertThat(probe.look(BROKER)).isEqualTo(new RecoveryReading(true, 7, 50));
    } finally {
      server.stop();
    }
  }

  @Test
  void jmx_that_is_silent_costs_its_time_out_and_is_not_asked_again_meanwhile() throws Exception {
    try (var silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var url =
          new JMXServiceURL(
              "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + silent.getLocalPort() + "/jmxrmi");
      var probe = new JmxProbe(_ -> url, LIMIT);

      assertThatThrownBy(() -> probe.look(BROKER)).hasMessageContaining("did not answer within");
      assertThatThrownBy(() -> probe.look(BROKER)).hasMessageContaining("not yet answered");
    }
  }
}
