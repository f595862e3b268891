package dev.sluice.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Produce requests as fast as they are answered, five in flight as Kafka's producer has them, over
 * one connection and without Kafka's client, so that the arm is what most of the work is.
 */
final class AskingLoad {

  private static final int IN_FLIGHT = 5;
  private static final long LEAD_NANOS = 500_000_000L;
  private static final long COUNTED_NANOS = 1_500_000_000L;

  private AskingLoad() {}

  static LoadAnswer ask(LoadRequest request) throws IOException {
    try (var channel = SocketChannel.open(Addresses.parse(request.bootstrapServers()))) {
      channel.socket().setTcpNoDelay(true);
      StubFrames.greet(channel);
      ByteBuffer frame = StubFrames.produce(request.amount());
      var response = ByteBuffer.allocateDirect(StubFrames.produced().remaining());
      int correlation = 0;
      for (int i = 0; i < IN_FLIGHT; i++) {
        send(channel, frame, correlation++);
      }
      long begin = System.nanoTime();
      var span = Span.of(request.pid());
      int counted = 0;
      boolean leads = true;
      while (true) {
        StubFrames.readFully(channel, response.clear());
        counted++;
        long since = System.nanoTime() - begin;
        if (leads && since > LEAD_NANOS) {
          leads = false;
          counted = 0;
          span = Span.of(request.pid());
        } else if (since > LEAD_NANOS + COUNTED_NANOS) {
          return span.end().with((double) counted);
        }
        send(channel, frame, correlation++);
      }
    }
  }

  private static void send(SocketChannel channel, ByteBuffer frame, int correlation)
      throws IOException {
    StubFrames.setCorrelation(frame, correlation);
    var unsent = frame.duplicate();
    while (unsent.hasRemaining()) {
      channel.write(unsent);
    }
  }
}
