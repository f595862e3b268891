package dev.sluice.integration;

import dev.sluice.protocol.Endpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;

/** Says any API in any version, and understands the answer, with Kafka's own message classes. */
final class RawClient implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 30_000;
  private static final int FIRST_CORRELATION_ID = 1;

  private final Socket socket;
  private int correlationId;

  RawClient(Endpoint endpoint) throws IOException {
    socket = new Socket(endpoint.host(), endpoint.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  /** Sends a request and reads its response, to the last byte. */
  ApiMessage ask(ApiMessage request, short version) throws IOException {
    var api = ApiKeys.forId(request.apiKey());
    send(api, request, version);
    var in = new DataInputStream(socket.getInputStream());
    var bytes = new byte[in.readInt()];
    in.readFully(bytes);
    var response = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
    var header = new ResponseHeaderData(response, api.responseHeaderVersion(version));
    if (header.correlationId() != correlationId) {
      throw new AssertionError(
          "expected correlation id " + correlationId + ", found " + header.correlationId());
    }
    var body = api.messageType.newResponse();
    body.read(response, version);
    if (response.remaining() != 0) {
      throw new AssertionError(
          api + " version " + version + ": " + response.remaining() + " bytes behind the end");
    }
    return body;
  }

  private void send(ApiKeys api, ApiMessage request, short version) throws IOException {
    write(frame(api, request, version, ++correlationId));
  }

  /** Sends a request from a socket of somebody else, who reads the answer. */
  static void write(Socket socket, ApiMessage request, short version) throws IOException {
    socket
        .getOutputStream()
        .write(frame(ApiKeys.forId(request.apiKey()), request, version, FIRST_CORRELATION_ID));
  }

  private static byte[] frame(ApiKeys api, ApiMessage request, short version, int correlationId) {
    var header =
        new RequestHeaderData()
            .setRequestApiKey(api.id)
            .setRequestApiVersion(version)
            .setCorrelationId(correlationId)
            .setClientId("raw");
    var headerBytes =
        MessageUtil.toByteBufferAccessor(header, api.requestHeaderVersion(version)).buffer();
    var bodyBytes = MessageUtil.toByteBufferAccessor(request, version).buffer();
    var frame =
        ByteBuffer.allocate(Integer.BYTES + headerBytes.remaining() + bodyBytes.remaining());
    frame.putInt(headerBytes.remaining() + bodyBytes.remaining());
    return frame.put(headerBytes).put(bodyBytes).array();
  }

  /** Sends bytes, be they a request or not. */
  void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
