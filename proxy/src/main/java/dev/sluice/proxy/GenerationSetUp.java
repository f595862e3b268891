package dev.sluice.proxy;

import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.time.Duration;
import java.util.List;

/**
 * Acquires everything of a generation, step by step: names are looked up, filters made, ports
 * listened on, the Kafka cluster is asked who it is. On the control thread.
 */
final class GenerationSetUp {

  /** How long a Kafka cluster may take to tell its id while another generation serves. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Generation generation;
  private final ListeningSockets sockets;
  private final Engine engine;
  private final Promise<Generation> done;

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
   * @return fails with a {@link SetUpException}, after releasing what was acquired
   */
  static Future<Generation> of(
      Generation generation, boolean beside, ListeningSockets sockets, Engine engine) {
    var setUp = new GenerationSetUp(generation, sockets, engine);
    setUp.begin(beside ? PATIENCE : Duration.ZERO);
    setUp.done.addListener(
        done -> {
          if (!done.isSuccess()) {
            generation.filters().close();
          }
        });
    return setUp.done;
  }

  private void begin(Duration patience) {
    generation
        .upstream()
        .resolve()
        .addListener(
            (Future<Void> resolved) -> {
              if (resolved.isSuccess()) {
                makeFilters(patience);
              } else {
                done.setFailure(resolved.cause());
              }
            });
  }

  private void makeFilters(Duration patience) {
    FilterSetUp.of(generation.spec(), generation.number(), engine.control())
        .addListener(
            (Future<FilterChain> made) -> {
              if (made.isSuccess()) {
                generation.holds(made.getNow());
                findEntrances(patience);
              } else {
                done.setFailure(made.cause());
              }
            });
  }

  private void findEntrances(Duration patience) {
    Entrances.of(generation.gateways(), engine.control())
        .addListener(
            (Future<Entrances> found) -> {
              if (found.isSuccess()) {
                listen(found.getNow(), patience);
              } else {
                done.setFailure(found.cause());
              }
            });
  }

  private void listen(Entrances entrances, Duration patience) {
    sockets
        .name(entrances.all())
        .addListener(
            (Future<List<Door>> named) -> {
              if (named.isSuccess()) {
                generation.holds(entrances, named.getNow());
                generation.upstream().ask(patience).addListener(_ -> done.setSuccess(generation));
              } else if (named.cause() instanceof RefusedPorts refused) {
                explain(refused);
              } else {
                done.setFailure(named.cause());
              }
            });
  }

  /** Finding out who holds a port blocks, so it is done elsewhere. */
  private void explain(RefusedPorts refused) {
    Thread.ofVirtual().name("port-holder").start(() -> done.setFailure(refused.explained()));
  }
}
