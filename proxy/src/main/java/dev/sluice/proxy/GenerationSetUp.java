package dev.sluice.proxy;

import dev.sluice.lifecycle.doors.Doorway;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * Acquires everything of a generation, step by step: names are looked up, keys and certificates
 * read, filters made, ports listened on, the Kafka cluster is asked who it is. On the control
 * thread.
 */
final class GenerationSetUp {

  /** How long a Kafka cluster may take to tell its id while another generation serves. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private enum Stage {
    /** Looks up, makes: what is acquired is released without anybody's help. */
    FINDING,
    LISTENING,
    ASKING
  }

  private final Generation generation;
  private final ListeningSockets sockets;
  private final Engine engine;
  private final Promise<Generation> done;
  private Stage stage = Stage.FINDING;
  private boolean abandoned;

  private GenerationSetUp(Generation generation, ListeningSockets sockets, Engine engine) {
    this.generation = generation;
    this.sockets = sockets;
    this.engine = engine;
    this.done = engine.control().newPromise();
  }

  /**
   * Begins.
   *
   * @param beside whether another generation serves meanwhile, so that there is time to ask the
   *     Kafka cluster for its id
   */
  static GenerationSetUp of(
      Generation generation, boolean beside, ListeningSockets sockets, Engine engine) {
    var setUp = new GenerationSetUp(generation, sockets, engine);
    setUp.begin(beside ? PATIENCE : Duration.ZERO);
    setUp.done.addListener(
        done -> {
          if (!done.isSuccess()) {
            generation.filters().close();
          }
        });
    return setUp;
  }

  /** Fails with a {@link SetUpException}, after releasing what was acquired. */
  Future<Generation> done() {
    return done;
  }

  /**
   * Nobody wants it any more: it is done as soon as it can tell what it holds. It may have
   * succeeded nevertheless, and is then to be released.
   */
  void abandon() {
    abandoned = true;
    switch (stage) {
      // What comes of these later is let go of there.
      case FINDING -> done.tryFailure(new CancellationException("nobody wants it any more"));
      // Moments: then it is known which ports it holds.
      case LISTENING -> {}
      case ASKING -> done.trySuccess(generation);
    }
  }

  private void begin(Duration patience) {
    generation
        .upstream()
        .resolve()
        .addListener(
            (Future<Void> resolved) -> {
              if (goesOnAfter(resolved)) {
                readKeys(patience);
              }
            });
  }

  private void readKeys(Duration patience) {
    TlsSetUp.of(generation.spec(), engine.control())
        .addListener(
            (Future<Encryption> read) -> {
              if (goesOnAfter(read)) {
                generation.holds(read.getNow());
                makeFilters(patience);
              }
            });
  }

  private void makeFilters(Duration patience) {
    FilterSetUp.of(generation)
        .addListener(
            (Future<FilterChain> made) -> {
              if (goesOnAfter(made)) {
                generation.holds(made.getNow());
                findEntrances(patience);
              } else if (made.isSuccess()) {
                made.getNow().close();
              }
            });
  }

  private void findEntrances(Duration patience) {
    Entrances.of(generation.gateways(), engine.control())
        .addListener(
            (Future<Entrances> found) -> {
              if (goesOnAfter(found)) {
                listen(found.getNow(), patience);
              }
            });
  }

  private boolean goesOnAfter(Future<?> step) {
    if (!abandoned && !step.isSuccess()) {
      done.setFailure(step.cause());
    }
    return !abandoned && step.isSuccess();
  }

  private void listen(Entrances entrances, Duration patience) {
    stage = Stage.LISTENING;
    sockets
        .name(entrances.all())
        .addListener(
            (Future<Set<Doorway>> named) -> {
              if (named.isSuccess()) {
                generation.holds(entrances, named.getNow());
                ask(patience, named.getNow());
              } else if (named.cause() instanceof RefusedPorts refused) {
                explain(refused);
              } else {
                done.setFailure(named.cause());
              }
            });
  }

  private void ask(Duration patience, Set<Doorway> named) {
    stage = Stage.ASKING;
    if (abandoned) {
      done.setSuccess(generation);
    } else {
      generation.upstream().ask(patience).addListener(_ -> asked(patience, named));
    }
  }

  /**
   * Where another generation serves, brokers that cannot be trusted are no reason to leave it: what
   * is wrong is this configuration. Where none does, the log tells why clients are not served.
   */
  private void asked(Duration patience, Set<Doorway> named) {
    var distrust = generation.upstream().distrust();
    if (patience.isZero() || distrust.isEmpty() || done.isDone()) {
      done.trySuccess(generation);
      return;
    }
    stage = Stage.LISTENING; // It lets go of what it holds.
    var failure =
        new SetUpException(
            "upstream-distrusted",
            "targetCluster: expected its brokers to be spoken with as its tls says, found "
                + distrust.get()
                + "; correct tls of the target, or what it names");
    sockets.forget(named).addListener(_ -> done.setFailure(failure));
  }

  private void explain(RefusedPorts refused) {
    engine
        .portHolders()
        .of(refused.busy())
        .thenAccept(holders -> done.setFailure(refused.explained(holders)));
  }
}
