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

  private static final int PIECE_BYTES = 8_192;

  private final ServerSocket listening;
  private final int port;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final Set<Socket> servers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger silences = new AtomicInteger();

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

  /**
   * From now on nothing comes through the connections that there are, in either direction, and
   * nobody is told; new ones are taken.
   */
  void silence() {
    silences.incrementAndGet();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        int born = silences.get();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        accepted.incrementAndGet();
        clients.add(client);
        servers.add(server);
        Thread.ofVirtual().start(() -> copy(client, server, born));
        Thread.ofVirtual().start(() -> copy(server, client, born));
      }
    } catch (IOException _) {
      // closed
    }
  }

  private void copy(Socket from, Socket to, int born) {
    byte[] bytes = new byte[PIECE_BYTES];
    try {
      int read;
      while ((read = from.getInputStream().read(bytes)) >= 0) {
        if (silences.get() == born) {
          to.getOutputStream().write(bytes, 0, read);
        }
      }
      if (silences.get() == born) {
        to.shutdownOutput();
      }
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
