package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.Failure;
import dev.sluice.lifecycle.Recovery;
import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of set-ups, as a life wants to hear it. On the control thread. */
final class SetUpAnswers implements Generations.Answers {

  private static final Logger LOG = LoggerFactory.getLogger(SetUpAnswers.class);

  /** Decides what follows if a set-up that failed makes the cluster fail. */
  interface RecoveryDecision {
    Recovery decide(int attempt, Instant now);
  }

  private final String virtualCluster;
  private final Engine engine;
  private final RecoveryDecision recovery;
  private final Consumer<ClusterEvent> life;

  SetUpAnswers(
      String virtualCluster,
      Engine engine,
      RecoveryDecision recovery,
      Consumer<ClusterEvent> life) {
    this.virtualCluster = virtualCluster;
    this.engine = engine;
    this.recovery = recovery;
    this.life = life;
  }

  @Override
  public void prepared(int generation, int attempt) {
    life.accept(new ClusterEvent.Prepared(generation, attempt));
  }

  @Override
  public void failed(int generation, int attempt, Throwable cause) {
    var failure = failure(generation, attempt, cause);
    life.accept(new ClusterEvent.PrepareFailed(failure, recovery.decide(attempt, failure.at())));
  }

  private Failure failure(int generation, int attempt, Throwable cause) {
    var at = engine.clock().instant();
    if (cause instanceof SetUpException known) {
      return new Failure(at, generation, attempt, known.code(), known.sentence());
    }
    LOG.atError()
        .addKeyValue("virtualCluster", virtualCluster)
        .setCause(cause)
        .log("Set-up failed unexpectedly");
    return new Failure(at, generation, attempt, "unexpected", cause.toString());
  }
}
