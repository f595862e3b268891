package dev.sluice.lifecycle.offender;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** Never runs. */
final class OffenderImpl {

  private OffenderImpl() {}

  static CompletableFuture<Instant> decide(Thread thread) {
    System.out.println(thread.threadId());
    return CompletableFuture.completedFuture(Instant.now());
  }
}
