package dev.sluice.audit;

import dev.sluice.embedded.FreePorts;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Stands between clients and the one broker of a cluster, and does wrong when told to. */
final class Relay implements AutoCloseable {

  private final ServerSocket listening;
  private final InetSocketAddress broker;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger wrongs = new AtomicInteger();
  private volatile Supplier<Fault> fault = Fault.None::new;

  private Relay(ServerSocket listening, InetSocketAddress broker) {
    this.listening = listening;
    this.broker = broker;
    Thread.ofVirtual().start(this::accept);
  }

  static Relay inFrontOf(String bootstrapServers) {
    String[] parts = bootstrapServers.split(":", 2);
    try {
      return new Relay(
          new ServerSocket(FreePorts.one(), 50, InetAddress.getLoopbackAddress()),
          new InetSocketAddress(parts[0], Integer.parseInt(parts[1])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String bootstrapServers() {
    return "127.0.0.1:" + listening.getLocalPort();
  }

  /** What is done wrong on every connection that is made from now on. */
  Relay doing(Supplier<Fault> wrong) {
    fault = wrong;
    return this;
  }

  /** How often something was done wrong, and is over. */
  int wrongs() {
    return wrongs.get();
  }

  /** Ends every connection at once. */
  void cut() {
    sockets.forEach(Relay::close);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.ofVirtual().start(() -> relay(client));
      }
    } catch (IOException e) {
      cut(); // The relay is closed.
    }
  }

  private void relay(Socket client) {
    try (client;
        var server = new Socket()) {
      server.connect(broker);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      sockets.add(client);
      sockets.add(server);
      var wire = new Wire(client, server, listening.getLocalPort());
      Thread answers = Thread.ofVirtual().start(() -> answers(wire));
      requests(wire, fault.get());
      server.shutdownOutput();
      answers.join();
    } catch (IOException | InterruptedException e) {
      // A connection ended: the other one ends with it.
    } finally {
      sockets.remove(client);
    }
  }

  private void requests(Wire wire, Fault wrong) throws IOException, InterruptedException {
    for (byte[] frame = wire.request(); frame.length > 0; frame = wire.request()) {
      if (wrong.on(frame, wire)) {
        wrongs.incrementAndGet();
      }
    }
  }

  private static void answers(Wire wire) {
    try {
      wire.relayAnswers();
    } catch (IOException e) {
      // The server's side ended.
    }
    wire.close();
  }

  @Override
  public void close() {
    close(listening);
    cut();
  }

  static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one frame; empty at the end. */
  static byte[] frame(DataInputStream in) throws IOException {
    try {
      byte[] frame = new byte[in.readInt()];
      in.readFully(frame);
      return frame;
    } catch (java.io.EOFException e) {
      return new byte[0];
    }
  }

  static void write(DataOutputStream out, byte[] frame) throws IOException {
    synchronized (out) {
      out.writeInt(frame.length);
      out.write(frame);
      out.flush();
    }
  }
}
