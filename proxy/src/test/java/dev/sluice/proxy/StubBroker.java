package dev.sluice.proxy;

import dev.sluice.protocol.BrokerQuestion;
import dev.sluice.protocol.Endpoint;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A server on an ephemeral port that follows a script, once for each connection. What is claimed
 * with it is about bytes; claims about Kafka are made on real brokers.
 */
final class StubBroker implements AutoCloseable {

  /** What a connection sees; the connection is closed when it returns. */
  @FunctionalInterface
  interface Script {
    void serve(Peer client) throws IOException, InterruptedException;
  }

  private final ServerSocket listening;
  private final Script script;
  private final Script whenAskedForBrokers;
  private final Set<Peer> open = ConcurrentHashMap.newKeySet();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger served = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Tells nothing to who asks for its brokers. */
  StubBroker(Script script) {
    this(script, _ -> {});
  }

  StubBroker(Script script, Script whenAskedForBrokers) {
    this(listening(), script, whenAskedForBrokers);
  }

  /** On this socket, which it closes. */
  StubBroker(ServerSocket listening, Script script, Script whenAskedForBrokers) {
    this.script = script;
    this.whenAskedForBrokers = whenAskedForBrokers;
    this.listening = listening;
    Thread.ofPlatform().daemon().name("stub-broker").start(this::accept);
  }

  private static ServerSocket listening() {
    try {
      return new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers each request with its correlation id and the request itself. */
  static StubBroker echo() {
    return new StubBroker(StubBroker::echo);
  }

  static void echo(Peer client) throws IOException {
    for (var frame = client.tryFrame(); frame.isPresent(); frame = client.tryFrame()) {
      client.write(Frames.echoed(frame.get()));
    }
  }

  Endpoint endpoint() {
    return new Endpoint("127.0.0.1", listening.getLocalPort());
  }

  /** How many connections came that were no questions for brokers. */
  int served() {
    return served.get();
  }

  /** Whoever comes from now on is refused. */
  void takeNobodyNew() throws IOException {
    listening.close();
  }

  /** What went wrong in scripts. */
  @Nullable Throwable failure() {
    return failures.peek();
  }

  private void accept() {
    while (true) {
      try {
        var socket = listening.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return; // Closed.
      }
    }
  }

  private void serve(Socket socket) {
    try (var client = new Peer(socket)) {
      open.add(client);
      try {
        serve(client);
      } finally {
        open.remove(client);
      }
    } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }

  private void serve(Peer client) throws IOException, InterruptedException {
    if (client.skipIfNext(question())) {
      whenAskedForBrokers.serve(client);
    } else {
      served.incrementAndGet();
      script.serve(client);
    }
  }

  private static byte[] question() {
    var frame = BrokerQuestion.frame(UnpooledByteBufAllocator.DEFAULT);
    var bytes = new byte[frame.readableBytes()];
    frame.readBytes(bytes);
    frame.release();
    return bytes;
  }

  /** Keeps a script waiting until the broker is closed. */
  void untilClosed() throws InterruptedException {
    ended.await();
  }

  @Override
  public void close() throws IOException {
    ended.countDown();
    listening.close();
    for (var client : open) {
      client.close();
    }
  }
}
