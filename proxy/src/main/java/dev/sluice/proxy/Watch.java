package dev.sluice.proxy;

import dev.sluice.lifecycle.Life;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Those who wait for a life to be as they want it. Belongs to the control thread. */
final class Watch {

  private record Waiting(Predicate<Life> wanted, CompletableFuture<Life> told) {}

  private final EventExecutor control;
  private final List<Waiting> waiting = new ArrayList<>();

  Watch(EventExecutor control) {
    this.control = control;
  }

  /** Completes, on the control thread, with the first life that is as wanted; perhaps this one. */
  CompletionStage<Life> until(Predicate<Life> wanted, Life now) {
    if (wanted.test(now)) {
      return CompletableFuture.completedFuture(now);
    }
    var told = new CompletableFuture<Life>();
    waiting.add(new Waiting(wanted, told));
    return told;
  }

  /** It has changed; who waited hears of it after what has to be done now is done. */
  void look(Supplier<Life> life) {
    if (!waiting.isEmpty()) {
      control.execute(() -> tell(life.get()));
    }
  }

  private void tell(Life life) {
    var content = waiting.stream().filter(each -> each.wanted.test(life)).toList();
    waiting.removeAll(content);
    content.forEach(each -> each.told.complete(life));
  }
}
