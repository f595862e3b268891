package dev.sluice.embedded;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * The smallest question a Kafka server answers, ApiVersions version 0. It is answered only once the
 * server processes requests, and asking it costs neither a client nor a log full of warnings.
 *
 * @see <a href="https://kafka.apache.org/protocol">Kafka protocol guide</a>
 */
final class Greeting {

  private static final int CONNECT_MILLIS = (int) Duration.ofSeconds(1).toMillis();
  private static final int ANSWER_MILLIS = (int) Duration.ofMillis(500).toMillis();
  private static final short API_VERSIONS = 18;
  private static final short VERSION = 0;
  private static final short NO_CLIENT_ID = -1;
  private static final int CORRELATION_ID = 1;
  private static final int REQUEST_BYTES = 10;

  private Greeting() {}

  /**
   * @param address {@code host:port}
   */
  static boolean isAnsweredBy(String address) {
    int colon = address.lastIndexOf(':');
    var host =
        new InetSocketAddress(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    try (Socket socket = new Socket()) {
      socket.connect(host, CONNECT_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(REQUEST_BYTES);
      out.writeShort(API_VERSIONS);
      out.writeShort(VERSION);
      out.writeInt(CORRELATION_ID);
      out.writeShort(NO_CLIENT_ID);
      out.flush();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      return in.readInt() > 0 && in.readInt() == CORRELATION_ID;
    } catch (IOException _) {
      return false;
    }
  }
}
