package dev.sluice.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Connections that have asked once, so that the arm has a broker for them, and are silent. */
final class IdleLoad {

  private static final int READ_BYTES = 1024;
  private static final long PATIENCE_MILLIS = 30_000;

  private final List<SocketChannel> connections = new ArrayList<>();

  /** Opens more until there are so many. */
  void open(String address, int count) throws IOException {
    while (connections.size() < count) {
      var channel = SocketChannel.open(Addresses.parse(address));
      connections.add(channel);
      StubFrames.greet(channel);
    }
  }

  /**
   * So many of them ask what is answered late; all of them close, as clients do, when they have
   * read the end. Returns when all are closed, or nothing has happened for long. More figures: the
   * time of the last answer by {@link System#nanoTime}, which counts alike in all processes of a
   * Linux machine.
   */
  LoadAnswer linger(int count) throws IOException {
    var span = Span.of(0);
    try (var selector = Selector.open()) {
      for (var channel : connections) {
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
      }
      for (var channel : connections.subList(0, count)) {
        channel.write(StubFrames.late());
      }
      return span.end().with((double) readToTheEnd(selector));
    } finally {
      close();
    }
  }

  /** Returns when something was read last. */
  private long readToTheEnd(Selector selector) throws IOException {
    var into = ByteBuffer.allocateDirect(READ_BYTES);
    long answered = System.nanoTime();
    int open = connections.size();
    while (open > 0 && selector.select(PATIENCE_MILLIS) > 0) {
      for (var key : selector.selectedKeys()) {
        if (((SocketChannel) key.channel()).read(into.clear()) >= 0) {
          answered = System.nanoTime();
        } else {
          key.channel().close();
          open--;
        }
      }
      selector.selectedKeys().clear();
    }
    return answered;
  }

  LoadAnswer close() throws IOException {
    var span = Span.of(0);
    for (var channel : connections) {
      channel.close();
    }
    connections.clear();
    return span.end();
  }
}
