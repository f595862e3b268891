package dev.sluice.integration;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * How many of Netty's buffers of this process are held by somebody, of those that were given since
 * counting began: the allocator tells the flight recorder of each that it gives and takes back. In
 * a million the recorder misses a few that are taken back; each is known by its address, and counts
 * until that is given again.
 */
final class LiveBuffers implements AutoCloseable {

  private static final String MARK = "dev.sluice.Mark";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Tells that everything that was recorded before has been counted. */
  @Name(MARK)
  @StackTrace(false)
  static final class Mark extends Event {
    long number;
  }

  private final RecordingStream recorder = new RecordingStream();
  private final Set<Long> held = ConcurrentHashMap.newKeySet();
  private final AtomicLong counted = new AtomicLong();
  private long marks;

  private LiveBuffers() {
    recorder.enable("io.netty.AllocateBuffer").withoutStackTrace();
    recorder.enable("io.netty.FreeBuffer").withoutStackTrace();
    recorder.enable(Mark.class);
    recorder.onEvent("io.netty.AllocateBuffer", given -> held.add(address(given)));
    recorder.onEvent("io.netty.FreeBuffer", back -> held.remove(address(back)));
    recorder.onEvent(MARK, mark -> counted.set(mark.getLong("number")));
    recorder.startAsync();
  }

  static LiveBuffers counted() {
    return new LiveBuffers();
  }

  /** As of now. */
  long now() {
    long number = ++marks;
    await("the flight recorder has told mark " + number)
        .atMost(PATIENCE)
        .until(
            () -> {
              // Again: what is written before the stream has begun is not told.
              var mark = new Mark();
              mark.number = number;
              mark.commit();
              return counted.get();
            },
            told -> told >= number);
    return held.size();
  }

  private static long address(RecordedEvent event) {
    return event.getLong("address");
  }

  @Override
  public void close() {
    recorder.close();
  }
}
