package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/**
 * Watches every buffer of this process, and keeps what Netty says of those that nobody gave back.
 */
final class Leaks extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private static final int COLLECTIONS = 3;

  private final Queue<String> told = new ConcurrentLinkedQueue<>();
  private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();

  private Leaks() {
    collect(); // What was lost before is not told as lost since.
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    logger().addAppender(this);
    start();
  }

  static Leaks watched() {
    return new Leaks();
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
  }

  @Override
  protected void append(ILoggingEvent event) {
    told.add(event.getFormattedMessage());
  }

  void assertNone() {
    collect();
    assertThat(told).as("buffers that nobody gave back").isEmpty();
  }

  private static void collect() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      // Leaks are reported when the next buffer is made.
      ByteBufAllocator.DEFAULT.buffer(1).release();
    }
  }

  @Override
  public void close() {
    logger().detachAppender(this);
    stop();
    ResourceLeakDetector.setLevel(before);
  }
}
