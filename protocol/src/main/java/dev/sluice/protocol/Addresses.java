package dev.sluice.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the brokers' own addresses by those that clients can reach, in the responses that are
 * decoded: Metadata, FindCoordinator and DescribeCluster. Everything else in them stays.
 *
 * <p>A broker without an address here costs that broker only: it is left out of the brokers that
 * are listed, while partitions go on naming its id. Clients take a leader that is not listed for
 * one that is not available yet, for that partition alone. Its coordinators are
 * COORDINATOR_NOT_AVAILABLE. An entry without a host (an error) stays as it is.
 *
 * <p>Holds no state of its own; as safe for threads as what it is given.
 */
public final class Addresses {

  /** The end point type of KIP-919 that says that brokers are listed, not controllers. */
  private static final byte BROKERS = 1;

  private final NodeAddresses addresses;
  private final NodesSeen seen;

  /**
   * @param addresses what to tell clients
   * @param seen is told what the response said
   */
  public Addresses(NodeAddresses addresses, NodesSeen seen) {
    this.addresses = addresses;
    this.seen = seen;
  }

  /**
   * Rewrites one response.
   *
   * @param key the API of its request: Metadata, FindCoordinator or DescribeCluster
   * @param version the version of its request, a known one
   * @param body the response without its length; neither changed nor released
   * @return a new frame, its length first; the caller owns it
   * @throws MalformedFrameException if the response cannot be read
   */
  public ByteBuf rewrite(short key, short version, ByteBuf body, ByteBufAllocator allocator)
      throws MalformedFrameException {
    return switch (ApiKeys.forId(key)) {
      case METADATA -> {
        var message = new MetadataResponseData();
        yield rewrite(version, body, message, () -> metadata(message), allocator);
      }
      case FIND_COORDINATOR -> {
        var message = new FindCoordinatorResponseData();
        yield rewrite(version, body, message, () -> coordinators(message), allocator);
      }
      case DESCRIBE_CLUSTER -> {
        var message = new DescribeClusterResponseData();
        yield rewrite(version, body, message, () -> cluster(message), allocator);
      }
      default ->
          throw new IllegalArgumentException(
              "expected an API whose responses list brokers, found " + Apis.name(key));
    };
  }

  private static ByteBuf rewrite(
      short version, ByteBuf body, ApiMessage message, Runnable change, ByteBufAllocator allocator)
      throws MalformedFrameException {
    var headerVersion = Apis.responseHeaderVersion(message.apiKey(), version);
    var header = Messages.read(body, headerVersion, message, version);
    change.run();
    return Messages.reframed(header, headerVersion, message, version, allocator);
  }

  private void metadata(MetadataResponseData message) {
    message
        .brokers()
        .removeIf(
            broker -> {
              if (broker.host().isEmpty()) {
                return false;
              }
              var here = replace(broker.nodeId(), broker.host(), broker.port(), broker.rack());
              if (here != null) {
                broker.setHost(here.host()).setPort(here.port());
              }
              return here == null;
            });
  }

  private void cluster(DescribeClusterResponseData message) {
    if (message.endpointType() != BROKERS) {
      message.brokers().clear();
      return;
    }
    message
        .brokers()
        .removeIf(
            broker -> {
              if (broker.host().isEmpty()) {
                return false;
              }
              var here = replace(broker.brokerId(), broker.host(), broker.port(), broker.rack());
              if (here != null) {
                broker.setHost(here.host()).setPort(here.port());
              }
              return here == null;
            });
  }

  private void coordinators(FindCoordinatorResponseData message) {
    if (!message.host().isEmpty()) {
      var here = replace(message.nodeId(), message.host(), message.port(), null);
      if (here == null) {
        message
            .setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code())
            .setErrorMessage(unreachable(message.nodeId()))
            .setNodeId(-1)
            .setHost("")
            .setPort(-1);
      } else {
        message.setHost(here.host()).setPort(here.port());
      }
    }
    message.coordinators().forEach(this::coordinator);
  }

  private void coordinator(FindCoordinatorResponseData.Coordinator entry) {
    if (entry.host().isEmpty()) {
      return;
    }
    var here = replace(entry.nodeId(), entry.host(), entry.port(), null);
    if (here == null) {
      entry
          .setErrorCode(Errors.COORDINATOR_NOT_AVAILABLE.code())
          .setErrorMessage(unreachable(entry.nodeId()))
          .setNodeId(-1)
          .setHost("")
          .setPort(-1);
    } else {
      entry.setHost(here.host()).setPort(here.port());
    }
  }

  private @Nullable Endpoint replace(int nodeId, String host, int port, @Nullable String rack) {
    if (nodeId >= 0 && port >= 1 && port <= 65_535) {
      seen.seen(nodeId, host, port, rack);
    }
    return addresses.advertised(nodeId);
  }

  private static String unreachable(int nodeId) {
    return "The coordinator, broker " + nodeId + ", has no address at this gateway.";
  }
}
