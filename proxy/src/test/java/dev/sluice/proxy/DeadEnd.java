package dev.sluice.proxy;

import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * An address at which connecting takes for ever: a listener whose backlog is full, so that the
 * kernel drops every further SYN.
 */
final class DeadEnd implements AutoCloseable {

  private static final int CONNECT_MILLIS = 200;

  private final ServerSocket listening;
  private final List<Socket> filling = new ArrayList<>();

  DeadEnd() throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    boolean hasRoom = true;
    while (hasRoom) {
      hasRoom = fill();
    }
  }

  private boolean fill() throws IOException {
    var socket = new Socket();
    filling.add(socket);
    try {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort()),
          CONNECT_MILLIS);
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  Endpoint endpoint() {
    return new Endpoint("127.0.0.1", listening.getLocalPort());
  }

  @Override
  public void close() throws IOException {
    for (var socket : filling) {
      socket.close();
    }
    listening.close();
  }
}
