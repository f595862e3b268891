package dev.sluice.proxy.offender;

import dev.sluice.embedded.EmbeddedCluster;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Never runs. */
final class OffendingHandler {

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static int last;

  private OffendingHandler() {}

  static Class<?> block(CompletableFuture<Integer> future) {
    last = COUNT.addAndGet(future.join() + last);
    return EmbeddedCluster.class;
  }
}
