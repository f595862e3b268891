package dev.sluice.roller.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.BootstrapConfiguration;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Whether a server's own port speaks Kafka: one connection, with the security settings of clients,
 * until the server has said which requests it knows. An Admin client cannot tell: it asks only
 * servers that the metadata name, which a fenced broker is not.
 */
final class Handshake {

  private static final int CONNECTIONS_IDLE_MILLIS = 60_000;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long BACKOFF_MILLIS = 50;

  private Handshake() {}

  /**
   * Asks.
   *
   * @param address {@code host:port}
   * @param settings of clients of this kind of end point
   */
  static Answer of(String address, Map<String, Object> settings, int limitMillis) {
    int colon = address.lastIndexOf(':');
    Node node =
        new Node(0, address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    if (!isConnectable(node, limitMillis)) {
      return Answer.REFUSAL;
    }
    AdminClientConfig config = new AdminClientConfig(settings);
    LogContext log = new LogContext("[sluice-roller handshake] ");
    try (Metrics metrics = new Metrics();
        Selector selector =
            new Selector(
                CONNECTIONS_IDLE_MILLIS,
                metrics,
                Time.SYSTEM,
                "handshake",
                ClientUtils.createChannelBuilder(config, Time.SYSTEM, log),
                log);
        NetworkClient client = client(selector, node, limitMillis, log)) {
      return NetworkClientUtils.awaitReady(client, node, Time.SYSTEM, limitMillis)
          ? Answer.GIVEN
          : Answer.SILENCE;
    } catch (IOException _) {
      return Answer.REFUSAL;
    }
  }

  /** Spares the client's warning of a server that is only on its way up. */
  private static boolean isConnectable(Node node, int limitMillis) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(node.host(), node.port()), limitMillis);
      return true;
    } catch (SocketTimeoutException _) {
      return true; // silence, and no refusal
    } catch (IOException _) {
      return false;
    }
  }

  /** What came of it. */
  enum Answer {
    GIVEN,
    /** The connection was refused, or closed. */
    REFUSAL,
    /** Connected or not, nothing was said in time. */
    SILENCE
  }

  private static NetworkClient client(
      Selector selector, Node node, int limitMillis, LogContext log) {
    return new NetworkClient(
        selector,
        new ManualMetadataUpdater(List.of(node)),
        "sluice-roller",
        1,
        BACKOFF_MILLIS,
        BACKOFF_MILLIS,
        BUFFER_BYTES,
        BUFFER_BYTES,
        limitMillis,
        limitMillis,
        limitMillis,
        Time.SYSTEM,
        true,
        new ApiVersions(),
        log,
        MetadataRecoveryStrategy.NONE,
        BootstrapConfiguration.DISABLED,
        false);
  }
}
