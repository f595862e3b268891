package dev.sluice.proxy;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

/** The way from any thread to the control thread. */
record Control(EventExecutor executor) {

  /** What comes of it there; fails once the proxy has ended. */
  <T> CompletionStage<T> supply(Supplier<T> asked) {
    try {
      return CompletableFuture.supplyAsync(asked, executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("expected a running proxy, found it ended; start it again", e));
    }
  }

  /** The same for what takes its time. */
  <T> CompletionStage<T> compose(Supplier<CompletionStage<T>> asked) {
    return supply(asked).thenCompose(Function.identity());
  }
}
