package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** A proxy in a JVM of its own that may hold few bytes on their way. */
class DirectMemoryTest {

  private static final int LARGE = 32 << 20;
  private static final int LARGE_ID = 1_000;
  private static final int READERS = 32;

  /** Of readers who do not read each would have it hold more than one of these. */
  private static final String MOST = "-XX:MaxDirectMemorySize=16m";

  private static final int SMALL_BUFFER = 64 * 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void when_no_memory_for_bytes_is_left_connections_are_cut_and_the_process_goes_on()
      throws Exception {
    var answer = Frames.answer(LARGE_ID, LARGE);
    var readers = new ArrayList<Peer>();
    try (var broker = new StubBroker(client -> serve(client, answer));
        var proxy = ChildProxy.before(broker, ":", "-Xmx128m", MOST)) {
      for (int i = 0; i < READERS; i++) {
        var socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        var reader = Peer.connect(proxy.bootstrap(), socket);
        readers.add(reader);
        ask(reader);
      }
      proxy.awaitLine("no memory was left for its bytes");
      for (var one : readers) {
        one.leave();
      }
      // Who comes while they leave may still find too little.
      await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> comeAndGo(proxy));
    } finally {
      for (var one : readers) {
        one.close();
      }
    }
  }

  /** Who comes when memory is short already may be cut before it has asked. */
  private static void ask(Peer reader) {
    try {
      reader.write(Frames.heartbeat(LARGE_ID));
    } catch (IOException cut) {
      // Counts as one that asked.
    }
  }

  private static void comeAndGo(ChildProxy proxy) throws IOException {
    try (var late = proxy.connect()) {
      late.write(Frames.heartbeat(1));
      assertThat(late.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
    }
  }

  private static void serve(Peer client, byte[] answer) throws IOException {
    for (var frame = client.tryFrame(); frame.isPresent(); frame = client.tryFrame()) {
      boolean isLarge = Frames.correlationIdOfRequest(frame.get()) == LARGE_ID;
      client.write(isLarge ? answer : Frames.echoed(frame.get()));
    }
  }
}
