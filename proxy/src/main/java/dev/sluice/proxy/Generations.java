package dev.sluice.proxy;

import dev.sluice.proxy.tls.ServingTls;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The generations of one virtual cluster that are held or being set up, and what each was
 * configured with. A configuration is kept as long as somebody may ask for its generation. Belongs
 * to the control thread, but {@link #held()}.
 */
final class Generations {

  /** Hears what becomes of set-ups that are still wanted. On the control thread. */
  interface Answers {
    void prepared(int generation, int attempt);

    void failed(int generation, int attempt, Throwable cause);
  }

  private final Engine engine;
  private final ClusterMeters meters;
  private final SparseLog<DisconnectCause> log;
  private final ListeningSockets sockets;
  private final Answers answers;
  private final Map<Integer, VirtualClusterSpec> specs = new HashMap<>();
  private final Map<Integer, GenerationSetUp> settingUp = new HashMap<>();

  /** Set-ups that nobody wants and that are not over yet. */
  private final Set<GenerationSetUp> abandoned = new HashSet<>();

  private final NavigableMap<Integer, Generation> held = new ConcurrentSkipListMap<>();

  Generations(
      Engine engine,
      ClusterMeters meters,
      SparseLog<DisconnectCause> log,
      ListeningSockets sockets,
      Answers answers) {
    this.engine = engine;
    this.meters = meters;
    this.log = log;
    this.sockets = sockets;
    this.answers = answers;
  }

  // ---- configurations ------------------------------------------------------------------------

  /** What a generation is configured with, from before it is prepared. */
  void configure(int generation, VirtualClusterSpec spec) {
    specs.put(generation, spec);
    spec.gateways().stream()
        .map(NodePorts::new)
        .flatMap(gateway -> gateway.hostNames().stream())
        .forEach(engine.sharedPorts()::know);
  }

  /** The configuration was not accepted. */
  void forget(int generation) {
    specs.remove(generation);
  }

  VirtualClusterSpec spec(int generation) {
    var spec = specs.get(generation);
    if (spec == null) {
      throw new IllegalStateException(
          "expected generation " + generation + " to be configured, found only " + specs.keySet());
    }
    return spec;
  }

  // ---- set-ups -------------------------------------------------------------------------------

  /**
   * Begins to acquire a generation.
   *
   * @param beside whether another one serves meanwhile
   */
  void prepare(int generation, int attempt, boolean beside) {
    var fresh = new Generation(generation, spec(generation), engine, meters, log);
    var setUp = GenerationSetUp.of(fresh, beside, sockets, engine);
    settingUp.put(generation, setUp);
    setUp
        .done()
        .addListener(
            (Future<Generation> done) -> {
              if (settingUp.remove(generation, setUp)) {
                ended(done, fresh, attempt);
              } else if (done.isSuccess()) {
                var _ = sockets.forget(fresh.release());
              }
              abandoned.remove(setUp);
            });
  }

  private void ended(Future<Generation> done, Generation fresh, int attempt) {
    if (done.isSuccess()) {
      held.put(fresh.number(), fresh);
      answers.prepared(fresh.number(), attempt);
    } else {
      answers.failed(fresh.number(), attempt, done.cause());
    }
  }

  /** Nobody wants this set-up any more: what it has acquired, or still acquires, is released. */
  void abandon(int generation) {
    abandonSetUp(generation);
    release(generation);
  }

  private void abandonSetUp(int generation) {
    var underWay = settingUp.remove(generation);
    if (underWay != null) {
      abandoned.add(underWay);
      underWay.abandon();
    }
  }

  /** Completes when everything that was let go of is gone, abandoned set-ups included. */
  Future<?> gone() {
    var over = new PromiseCombiner(engine.control());
    for (var setUp : abandoned) {
      // What fails has let go of everything, too.
      Promise<Void> one = engine.control().newPromise();
      over.add((Future<?>) one);
      setUp.done().addListener(_ -> one.setSuccess(null));
    }
    Promise<Void> allOver = engine.control().newPromise();
    over.finish(allOver);
    Promise<Void> gone = engine.control().newPromise();
    allOver.addListener(_ -> sockets.closed().addListener(_ -> gone.setSuccess(null)));
    return gone;
  }

  void release(int generation) {
    specs.remove(generation);
    letGoOf(generation);
  }

  private void letGoOf(int generation) {
    var gone = held.remove(generation);
    if (gone != null) {
      var _ = sockets.forget(gone.release());
    }
  }

  /** Lets go of everything but the configuration of one generation. */
  void releaseAllBut(int configured) {
    List.copyOf(settingUp.keySet()).forEach(this::abandonSetUp);
    List.copyOf(held.keySet()).forEach(this::letGoOf);
    specs.keySet().removeIf(generation -> generation != configured);
  }

  // ---- who is held ---------------------------------------------------------------------------

  /** One that is held. */
  Generation get(int generation) {
    var found = held.get(generation);
    if (found == null) {
      throw new IllegalStateException(
          "expected generation " + generation + " to be held, found only " + held.keySet());
    }
    return found;
  }

  /** All that are held, oldest first. Safe from every thread. */
  Collection<Generation> held() {
    return held.values();
  }

  /** How many connections there are, of all that are held. Safe from every thread. */
  int connections() {
    return held.values().stream().mapToInt(one -> one.connections().size()).sum();
  }

  /** The id that the Kafka cluster behind a generation has told. Safe from every thread. */
  Optional<String> clusterId(int generation) {
    return Optional.ofNullable(held.get(generation)).flatMap(Generation::clusterId);
  }

  /** The nodes behind a generation that no gateway has room for. Safe from every thread. */
  SortedSet<Integer> leftOut(int generation) {
    var found = held.get(generation);
    return found == null ? new TreeSet<>() : new TreeSet<>(found.upstream().leftOut());
  }

  /** What the gateways of a generation speak with clients. Safe from every thread. */
  SortedMap<String, ServingTls> gatewayTls(int generation) {
    var found = held.get(generation);
    return found == null ? new TreeMap<>() : new TreeMap<>(found.encryption().towardsClients());
  }

  /** Closes connections on which nothing has moved for too long. */
  void checkIdle() {
    long now = System.nanoTime();
    for (var generation : held.values()) {
      generation.connections().stream().forEach(one -> one.checkIdle(now, engine.network()));
    }
  }

  /** Those that are held up to this one, oldest first. */
  List<Generation> upTo(int generation) {
    return List.copyOf(held.headMap(generation, true).values());
  }
}
