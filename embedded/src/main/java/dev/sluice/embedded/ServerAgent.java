package dev.sluice.embedded;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Answers {@code GET /v1/broker-state} on loopback: the state of Kafka's own broker metric and what
 * is left of a recovery, in the form that agents in this field answer. 404 as long as the metric is
 * not there, and always of a server that is no broker.
 */
final class ServerAgent {

  private static final String BROKER_STATE = "kafka.server:type=KafkaServer,name=BrokerState";
  private static final String LEFT = "kafka.log:type=LogManager,name=";

  /** The last state in which logs may be replayed; a broker does so while it starts, too. */
  private static final int RECOVERY = 2;

  private ServerAgent() {}

  /**
   * Listens on a free port, and writes it to this file. On a thread that keeps no JVM alive, since
   * the threads of a server inherit that: a server that fails to start has to end.
   */
  static void start(Path portFile) {
    Thread.ofPlatform()
        .daemon()
        .name("server-agent-start")
        .start(
            () -> {
              try {
                listen(portFile);
              } catch (IOException e) {
                System.err.println("No agent: " + e.getMessage());
              }
            });
  }

  private static void listen(Path portFile) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/broker-state", ServerAgent::answer);
    server.setExecutor(
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("server-agent").factory()));
    server.start();
    Path beside = portFile.resolveSibling("agent.port.new");
    Files.writeString(beside, Integer.toString(server.getAddress().getPort()));
    Files.move(
        beside, portFile, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      int status = 200;
      String body;
      try {
        body = state();
      } catch (JMException e) {
        status = 404;
        body = "Broker state metric not found";
      }
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static String state() throws JMException {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    int state = number(beans, new ObjectName(BROKER_STATE)).intValue();
    return state <= RECOVERY
        ? "{\"brokerState\":%d,\"recoveryState\":{\"remainingLogsToRecover\":%d,\"remainingSegmentsToRecover\":%d}}"
            .formatted(
                state,
                sum(beans, "remainingLogsToRecover"),
                sum(beans, "remainingSegmentsToRecover"))
        : "{\"brokerState\":%d}".formatted(state);
  }

  private static long sum(MBeanServer beans, String what) throws JMException {
    long sum = 0;
    for (ObjectName name : beans.queryNames(new ObjectName(LEFT + what + ",*"), null)) {
      sum += number(beans, name).longValue();
    }
    return sum;
  }

  private static Number number(MBeanServer beans, ObjectName name) throws JMException {
    return (Number) beans.getAttribute(name, "Value");
  }
}
