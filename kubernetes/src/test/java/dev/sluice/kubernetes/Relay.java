package dev.sluice.kubernetes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and a server, and ends their connections when a test says so. */
final class Relay implements AutoCloseable {

  private final ServerSocket listening;
  private final int port;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final Set<Socket> servers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();

  /** To this port of this machine. */
  Relay(int port) throws IOException {
    this.port = port;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Connections so far. */
  int accepted() {
    return accepted.get();
  }

  /**
   * Ends every connection that there is for those who opened it; new ones are taken. The other side
   * does not notice, as with a way that is cut in between.
   */
  void sever() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        accepted.incrementAndGet();
        clients.add(client);
        servers.add(server);
        Thread.ofVirtual().start(() -> copy(client, server));
        Thread.ofVirtual().start(() -> copy(server, client));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException _) {
      // severed, or one of them is gone
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    sever();
    for (Socket server : servers) {
      server.close();
    }
  }
}
