package dev.sluice.roller.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.BootstrapConfiguration;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.MetadataRecoveryStrategy;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.EndpointType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.DescribeClusterResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Whether a server's own port speaks Kafka: one connection, with the security settings of clients,
 * until the server has said which requests it knows, and which cluster it thinks that it is in. An
 * Admin client cannot tell: it asks only servers that the metadata name, which a fenced broker is
 * not, and of controllers only the active one.
 */
final class Handshake {

  private static final int CONNECTIONS_IDLE_MILLIS = 60_000;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long BACKOFF_MILLIS = 50;

  private Handshake() {}

  /** What came of it. */
  sealed interface Answer {

    /**
     * It speaks Kafka.
     *
     * @param word empty of a server that knows no such question (a controller before Kafka 3.7)
     */
    record Given(Optional<Word> word) implements Answer {}

    /** The connection was refused, or closed. */
    record Refusal() implements Answer {}

    /** Connected or not, nothing was said in time. */
    record Silence() implements Answer {}
  }

  /**
   * What a server says for itself.
   *
   * @param activeController of which it knows, negative when it knows of none; only an end point of
   *     controllers tells it: brokers name any broker in its place
   */
  record Word(String clusterId, OptionalInt activeController) {}

  /**
   * Asks.
   *
   * @param address {@code host:port}
   * @param settings of clients of this kind of end point
   * @param limitMillis for each of three steps: to connect, to be greeted, to be answered
   */
  static Answer of(
      String address, EndpointType kind, Map<String, Object> settings, int limitMillis) {
    int colon = address.lastIndexOf(':');
    Node node =
        new Node(0, address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    if (!isConnectable(node, limitMillis)) {
      return new Answer.Refusal();
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
          ? word(client, node, kind, limitMillis)
          : new Answer.Silence();
    } catch (IOException _) {
      return new Answer.Refusal();
    }
  }

  private static Answer word(NetworkClient client, Node node, EndpointType kind, int limitMillis) {
    var question =
        new DescribeClusterRequest.Builder(
            new DescribeClusterRequestData().setEndpointType(kind.id()));
    try {
      ClientResponse response =
          NetworkClientUtils.sendAndReceive(
              client,
              client.newClientRequest(
                  node.idString(), question, Time.SYSTEM.milliseconds(), true, limitMillis, null),
              Time.SYSTEM);
      return new Answer.Given(word(response, kind));
    } catch (UnsupportedVersionException _) {
      return new Answer.Given(Optional.empty());
    } catch (IOException _) {
      return new Answer.Silence(); // it greeted, and left this unanswered
    }
  }

  private static Optional<Word> word(ClientResponse response, EndpointType kind) {
    return response.responseBody() instanceof DescribeClusterResponse said
            && said.data().errorCode() == Errors.NONE.code()
        ? Optional.of(
            new Word(
                said.data().clusterId(),
                kind == EndpointType.CONTROLLER
                    ? OptionalInt.of(said.data().controllerId())
                    : OptionalInt.empty()))
        : Optional.empty();
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
