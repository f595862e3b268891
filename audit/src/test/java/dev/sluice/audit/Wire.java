package dev.sluice.audit;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/** The two sockets of one connection; names the relay wherever a response names the broker. */
final class Wire {

  private static final int BUFFER = 1 << 16;
  private static final String HOST = "127.0.0.1";

  private final Socket client;
  private final Socket server;
  private final int port;
  private final DataInputStream fromClient;
  private final DataInputStream fromServer;
  private final DataOutputStream toClient;
  private final DataOutputStream toServer;
  private final Map<Integer, RequestHeader> naming = new ConcurrentHashMap<>();
  private final Map<Integer, Boolean> swallowed = new ConcurrentHashMap<>();

  Wire(Socket client, Socket server, int port) throws IOException {
    this.client = client;
    this.server = server;
    this.port = port;
    fromClient = new DataInputStream(client.getInputStream());
    fromServer = new DataInputStream(server.getInputStream());
    toClient = new DataOutputStream(new BufferedOutputStream(client.getOutputStream(), BUFFER));
    toServer = new DataOutputStream(new BufferedOutputStream(server.getOutputStream(), BUFFER));
  }

  byte[] request() throws IOException {
    return Relay.frame(fromClient);
  }

  void forward(byte[] frame) throws IOException {
    RequestHeader header = header(frame);
    switch (header.apiKey()) {
      case METADATA, FIND_COORDINATOR, DESCRIBE_CLUSTER ->
          naming.put(header.correlationId(), header);
      default -> {}
    }
    Relay.write(toServer, frame);
  }

  /** Forwards a request whose answer nobody is to see. */
  void forwardUnanswered(byte[] frame) throws IOException {
    swallowed.put(header(frame).correlationId(), true);
    Relay.write(toServer, frame);
  }

  void answer(byte[] frame) throws IOException {
    Relay.write(toClient, frame);
  }

  void relayAnswers() throws IOException {
    for (byte[] frame = Relay.frame(fromServer); frame.length > 0; ) {
      int correlationId = ByteBuffer.wrap(frame).getInt();
      if (swallowed.remove(correlationId) == null) {
        RequestHeader header = naming.remove(correlationId);
        answer(header == null ? frame : renamed(frame, header));
      }
      frame = Relay.frame(fromServer);
    }
  }

  void close() {
    Relay.close(client);
    Relay.close(server);
  }

  static RequestHeader header(byte[] frame) {
    return RequestHeader.parse(ByteBuffer.wrap(frame));
  }

  static boolean isProduce(byte[] frame) {
    return ByteBuffer.wrap(frame).getShort() == ApiKeys.PRODUCE.id;
  }

  /** The client's own id for a request stands behind its API key and version. */
  static byte[] withCorrelationId(byte[] frame, int correlationId) {
    byte[] changed = frame.clone();
    ByteBuffer.wrap(changed).putInt(4, correlationId);
    return changed;
  }

  static byte[] response(RequestHeader request, ApiMessage message) {
    short version = request.apiVersion();
    var header =
        new ResponseHeader(
            request.correlationId(), request.apiKey().responseHeaderVersion(version));
    ByteBuffer head =
        MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion()).buffer();
    ByteBuffer body = MessageUtil.toByteBufferAccessor(message, version).buffer();
    return ByteBuffer.allocate(head.remaining() + body.remaining()).put(head).put(body).array();
  }

  private byte[] renamed(byte[] frame, RequestHeader request) {
    ApiMessage message = AbstractResponse.parseResponse(ByteBuffer.wrap(frame), request).data();
    switch (message) {
      case MetadataResponseData metadata ->
          metadata.brokers().forEach(broker -> broker.setHost(HOST).setPort(port));
      case FindCoordinatorResponseData found -> {
        if (found.coordinators().isEmpty()) {
          found.setHost(HOST).setPort(port); // Below version 4.
        }
        found.coordinators().forEach(one -> one.setHost(HOST).setPort(port));
      }
      case DescribeClusterResponseData cluster ->
          cluster.brokers().forEach(broker -> broker.setHost(HOST).setPort(port));
      default -> throw new IllegalStateException("names no broker: " + request);
    }
    return response(request, message);
  }
}
