package dev.sluice.proxy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Netty's own leak detector, which makes this of a system property; keeps what it reports. */
public final class LeakRecorder<T> extends ResourceLeakDetector<T> {

  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
  private static final int COLLECTIONS = 3;

  public LeakRecorder(Class<?> resourceType, int samplingInterval) {
    super(resourceType, samplingInterval);
  }

  @SuppressWarnings("deprecation") // Called by Netty, reflectively.
  public LeakRecorder(Class<?> resourceType, int samplingInterval, long maxActive) {
    super(resourceType, samplingInterval, maxActive);
  }

  @Override
  protected boolean needReport() {
    return true;
  }

  @Override
  protected void reportTracedLeak(String resourceType, String records) {
    LEAKS.add(resourceType + records);
  }

  @Override
  protected void reportUntracedLeak(String resourceType) {
    LEAKS.add(resourceType);
  }

  /** Fails if some buffer was collected that had not been released. */
  static void assertNothingLeaked() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      // Leaks are reported when the next buffer is made.
      ByteBufAllocator.DEFAULT.buffer(1).release();
    }
    var first = LEAKS.peek();
    int count = LEAKS.size();
    LEAKS.clear();
    if (first != null) {
      throw new AssertionError(count + " buffers leaked, the first: " + first);
    }
  }
}
