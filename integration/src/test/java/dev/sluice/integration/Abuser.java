package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Does the same bad thing over and over, some at a time, until it is closed. At a pace: what is
 * looked at is what the proxy does, and not how much of two cores is left for others.
 */
final class Abuser implements AutoCloseable {

  /** One time. Every number has its own. */
  @FunctionalInterface
  interface Attempt {
    void by(Abuser abuser, SplittableRandom random) throws IOException;
  }

  private static final int AT_ONCE = 4;
  private static final long PAUSE_NANOS = 5_000_000;
  private static final int PATIENCE_MILLIS = 200;

  private final Attempt attempt;
  private final int mostHeld;
  private final AtomicLong attempts = new AtomicLong();
  private final AtomicLong connections = new AtomicLong();
  private final Deque<Socket> held = new ArrayDeque<>();
  private final Queue<Throwable> defects = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  /**
   * @param mostHeld how many connections it keeps open; the eldest are closed
   */
  private Abuser(Attempt attempt, int mostHeld) {
    this.attempt = attempt;
    this.mostHeld = mostHeld;
  }

  static Abuser start(Attempt attempt, int mostHeld) {
    var abuser = new Abuser(attempt, mostHeld);
    for (int i = 0; i < AT_ONCE; i++) {
      abuser.threads.add(Thread.ofPlatform().daemon().name("abuser").start(abuser::goOn));
    }
    return abuser;
  }

  private void goOn() {
    while (!over) {
      try {
        attempt.by(this, new SplittableRandom(attempts.incrementAndGet()));
      } catch (IOException _) {
        // That it is shown the door is what it has to expect.
      } catch (RuntimeException | AssertionError e) {
        defects.add(e);
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** A connection that is kept until there are too many. */
  Socket connect(Endpoint to) throws IOException {
    return connect(to, new Socket());
  }

  /** The same, whose kernel takes about so many bytes that nobody reads. */
  Socket connect(Endpoint to, int receiveBufferBytes) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(receiveBufferBytes);
    return connect(to, socket);
  }

  private Socket connect(Endpoint to, Socket socket) throws IOException {
    keep(socket);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(to.host(), to.port()));
    connections.incrementAndGet();
    return socket;
  }

  private void keep(Socket socket) throws IOException {
    Socket eldest = null;
    synchronized (held) {
      held.add(socket);
      if (held.size() > mostHeld) {
        eldest = held.remove();
      }
    }
    if (eldest != null) {
      eldest.close();
    }
  }

  /** How often it has been tried. */
  long attempts() {
    return attempts.get();
  }

  /** How many connections that were. */
  long connections() {
    return connections.get();
  }

  @Override
  public void close() throws IOException {
    over = true;
    List<Socket> left;
    synchronized (held) {
      left = List.copyOf(held);
    }
    for (var socket : left) {
      socket.close();
    }
    try {
      for (var thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (held) {
      left = List.copyOf(held); // Some may have come in between.
    }
    for (var socket : left) {
      socket.close();
    }
    assertThat(defects).as("defects of the test itself").isEmpty();
  }
}
