package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;

/** What comes of what is asked of a proxy. */
final class Asked {

  private static final long PATIENCE_SECONDS = 60;

  private Asked() {}

  static <T> T of(Optional<CompletionStage<T>> asked) {
    return of(asked.orElseThrow());
  }

  static <T> T of(CompletionStage<T> asked) {
    try {
      return asked.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("nothing came of what was asked", e);
    }
  }

  /** Nothing of a reload is under way any more. */
  static Life untilSettled(ProxyUnderTest proxy) {
    return of(
        proxy
            .proxy()
            .reconfiguration()
            .until(ProxyUnderTest.NAME, life -> !life.state().isUnderReload()));
  }

  /** What the last departure came to: told a moment after it has ended. */
  static DrainReport lastDrain(ProxyUnderTest proxy) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
        .until(() -> proxy.view().lastDrain(), Optional::isPresent)
        .orElseThrow();
  }

  /** This generation is prepared, or could not be. */
  static Life untilPrepared(ProxyUnderTest proxy, int generation) {
    return of(
        proxy
            .proxy()
            .reconfiguration()
            .until(
                ProxyUnderTest.NAME,
                life ->
                    !(life.state() instanceof Serving(_, Change.Preparing(int next))
                        && next == generation)));
  }

  /** A configuration is accepted, prepared, and told to take over. */
  static Step switched(ProxyUnderTest proxy, VirtualClusterSpec next, Way way) {
    var accepted = of(proxy.proxy().reconfiguration().accept(next));
    untilPrepared(proxy, accepted.generation());
    return of(
        proxy
            .proxy()
            .reconfiguration()
            .switchTo(next.name(), accepted.generation(), way, Fallback.ROLL_BACK));
  }
}
