package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A proxy in a JVM of its own that has little memory, much to do, or nowhere to log. */
class LoadTest {

  private static final int LARGE = 32 << 20;
  private static final int READERS = 64;
  private static final int IDLE = 10_000;
  private static final int BUSY = 1_000;

  /** How often each busy client asks: one at a time, whatever its neighbours do. */
  private static final Duration PERIOD = Duration.ofMillis(200);

  private static final int QUESTIONS = 100;

  /** What a slow reader takes at once, in bytes; it takes the next when all others had a turn. */
  private static final int BITE = 256 * 1024;

  /** Far less than memory that grew with what is asked for would need: two gigabytes. */
  private static final long MOST_MEMORY_MIB = 700;

  @Test
  @Tag("acceptance")
  void sixty_four_slow_readers_of_large_fetches_fit_into_a_heap_of_256_mebibytes()
      throws Exception {
    var answer = Frames.answer(1, LARGE);
    var clients = new ArrayList<Peer>();
    try (var broker = new StubBroker(client -> answerOnce(client, answer));
        var proxy = ChildProxy.before(broker, ":", "-Xmx256m")) {
      for (int i = 0; i < READERS; i++) {
        var socket = new Socket();
        socket.setReceiveBufferSize(BITE);
        clients.add(Peer.connect(proxy.bootstrap(), socket).write(Frames.heartbeat(1)));
      }
      for (int at = 0; at < answer.length; at += BITE) {
        var expected = Arrays.copyOfRange(answer, at, Math.min(answer.length, at + BITE));
        for (var client : clients) {
          assertThat(Arrays.equals(client.read(expected.length), expected)).isTrue();
        }
      }
      long most = proxy.mostMemory();
      System.out.printf("LoadTest: %d readers of %,d bytes: %d MiB%n", READERS, LARGE, most);
      assertThat(most).isLessThan(MOST_MEMORY_MIB);
      for (var client : clients) {
        client.leave();
      }
    } finally {
      for (var client : clients) {
        client.close();
      }
    }
  }

  private static void answerOnce(Peer client, byte[] answer) throws IOException {
    client.frame();
    client.write(answer);
    client.readToEnd();
  }

  @Test
  @Tag("acceptance")
  void ten_thousand_idle_connections_and_a_thousand_busy_ones_are_kept() throws Exception {
    var idle = new ArrayList<SocketChannel>();
    try (var broker = StubBroker.echo();
        var proxy = ChildProxy.before(broker, "ulimit -n 20000", "-Xmx512m")) {
      var at = new InetSocketAddress(proxy.bootstrap().host(), proxy.bootstrap().port());
      for (int i = 0; i < IDLE; i++) {
        idle.add(SocketChannel.open(at));
      }
      var nanos = busy(proxy);
      Arrays.sort(nanos);
      System.out.printf(
          "LoadTest: %,d idle, %,d busy: %,d round trips, each client's every %d ms; from when they"
              + " were due p50 %.1f, p99 %.1f, most %.1f ms; %d MiB%n",
          IDLE,
          BUSY,
          nanos.length,
          PERIOD.toMillis(),
          nanos[nanos.length / 2] / 1e6,
          nanos[(int) (nanos.length * 0.99)] / 1e6,
          nanos[nanos.length - 1] / 1e6,
          proxy.mostMemory());
      assertThat(nanos).hasSize(BUSY * QUESTIONS);
      for (var one : idle) {
        assertThat(one.isConnected()).isTrue();
        one.configureBlocking(false);
        assertThat(one.read(ByteBuffer.allocate(1))).as("its end").isZero();
      }
      for (var one : idle) {
        one.close();
      }
    } finally {
      for (var one : idle) {
        one.close();
      }
    }
  }

  /** How long after it was due each question was answered. */
  private static long[] busy(ChildProxy proxy) throws Exception {
    var nanos = new ArrayList<Long>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var peers = new ArrayList<Peer>();
      for (int i = 0; i < BUSY; i++) {
        peers.add(proxy.connect());
      }
      long begin = System.nanoTime();
      var clients = new ArrayList<Callable<List<Long>>>();
      for (int i = 0; i < BUSY; i++) {
        var peer = peers.get(i);
        long first = begin + PERIOD.toNanos() * i / BUSY;
        clients.add(() -> converse(peer, first));
      }
      for (var one : threads.invokeAll(clients)) {
        nanos.addAll(one.get());
      }
    }
    return nanos.stream().mapToLong(Long::longValue).toArray();
  }

  private static List<Long> converse(Peer peer, long first) throws IOException {
    var nanos = new ArrayList<Long>();
    try (var client = peer) {
      for (int id = 0; id < QUESTIONS; id++) {
        long due = first + PERIOD.toNanos() * id;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        client.write(Frames.heartbeat(id));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(id)));
        nanos.add(System.nanoTime() - due);
      }
    }
    return nanos;
  }

  @Test
  void a_log_whose_disk_is_full_disturbs_nobody() throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ChildProxy.loggingTo(new File("/dev/full"), broker);
        var client = proxy.connect()) {
      for (int id = 0; id < 20; id++) {
        try (var nonsense = proxy.connect()) {
          nonsense.write(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0});
          assertThat(nonsense.readToEnd()).isEmpty();
        }
        client.write(Frames.heartbeat(id));
        assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(id)));
      }
    }
  }
}
