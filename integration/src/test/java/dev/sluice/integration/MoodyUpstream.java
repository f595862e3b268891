package dev.sluice.integration;

import dev.sluice.protocol.Endpoint;
import dev.sluice.protocol.Mutations;
import dev.sluice.protocol.RandomFrames;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.protocol.ApiKeys;

/** What no broker should be. What is claimed with it is that others do not notice. */
final class MoodyUpstream implements AutoCloseable {

  /** What becomes of a request. */
  enum Mood {
    /** An answer of the right kind, of any content. */
    ANSWERS,
    /** Such an answer with something wrong in it. */
    ANSWERS_WRONGLY,
    /** Half of an answer, and no more. */
    STOPS_WITHIN_AN_ANSWER,
    /** Half of an answer and a reset. */
    RESETS,
    ENDS_ITS_SIDE,
    HANGS,
    /** Answers to what nobody asked. */
    BABBLES
  }

  private static final int BACKLOG = 1_000;
  private static final int MOST_FRAME_BYTES = 1 << 20;
  private static final int MOST_BABBLE = 1_000;
  private static final int SHORTEST_HEADER = 8;

  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong served = new AtomicLong();
  private volatile Mood mood = Mood.ENDS_ITS_SIDE;

  MoodyUpstream() {
    try {
      listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  Endpoint endpoint() {
    return new Endpoint("127.0.0.1", listening.getLocalPort());
  }

  /** From now on, also of connections that are there. */
  void is(Mood now) {
    mood = now;
  }

  /** How many requests have come so far. */
  long served() {
    return served.get();
  }

  private void accept() {
    while (true) {
      try {
        var socket = listening.accept();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException _) {
        return; // Closed.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      var in = new DataInputStream(socket.getInputStream());
      boolean goesOn = true;
      while (goesOn) {
        int bytes = in.readInt();
        if (bytes < SHORTEST_HEADER || bytes > MOST_FRAME_BYTES) {
          return;
        }
        var request = new byte[bytes];
        in.readFully(request);
        goesOn = answer(socket, request, new SplittableRandom(served.incrementAndGet()));
      }
    } catch (IOException _) {
      // The proxy has ended it.
    } finally {
      open.remove(socket);
    }
  }

  /** Whether the connection goes on. */
  private boolean answer(Socket socket, byte[] request, SplittableRandom random)
      throws IOException {
    var out = socket.getOutputStream();
    var answer = answerTo(request, random);
    switch (mood) {
      case ANSWERS -> out.write(answer);
      case ANSWERS_WRONGLY -> out.write(new Mutations(random).changed(answer, request));
      case STOPS_WITHIN_AN_ANSWER -> out.write(half(answer));
      case RESETS -> {
        out.write(half(answer));
        socket.setSoLinger(true, 0);
        return false;
      }
      case ENDS_ITS_SIDE -> {
        return false;
      }
      case HANGS -> {}
      case BABBLES -> {
        for (int i = 0; i < MOST_BABBLE; i++) {
          out.write(answerTo(request, random));
        }
      }
    }
    return true;
  }

  private static byte[] half(byte[] answer) {
    return Arrays.copyOf(answer, answer.length / 2);
  }

  private static byte[] answerTo(byte[] request, SplittableRandom random) {
    var header = ByteBuffer.wrap(request);
    short key = header.getShort();
    short version = header.getShort();
    int correlationId = header.getInt();
    if (RandomFrames.APIS.stream()
        .noneMatch(api -> api.id == key && api.isVersionSupported(version))) {
      return ByteBuffer.allocate(8).putInt(4).putInt(correlationId).array();
    }
    return new RandomFrames(random).response(ApiKeys.forId(key), version, correlationId);
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (var socket : open) {
      socket.close();
    }
  }
}
