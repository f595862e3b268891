package dev.sluice.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One port on which several doors listen, told apart by the host names that clients ask for.
 * Accepts while any of the doors is open. Belongs to the control thread, but {@link #arrived}.
 */
final class SharedPort {

  private static final Logger LOG = LoggerFactory.getLogger(SharedPort.class);

  private final InetSocketAddress at;
  private final SharedPorts all;
  private final Engine engine;
  private final Consumer<SharedPort> whenLeft;
  private final Promise<Void> bound;
  private final Promise<Void> gone;
  private final SparseLog<Unled> log;
  private final List<Seat> seats = new CopyOnWriteArrayList<>();
  private @Nullable Channel socket;
  private @Nullable Acceptance acceptance;

  SharedPort(InetSocketAddress at, SharedPorts all, Engine engine, Consumer<SharedPort> whenLeft) {
    this.at = at;
    this.all = all;
    this.engine = engine;
    this.whenLeft = whenLeft;
    this.bound = engine.control().newPromise();
    this.gone = engine.control().newPromise();
    this.log =
        new SparseLog<>(Unled.class, engine.network().repeatedLogInterval(), System::nanoTime);
    Sockets.bootstrap(engine, _ -> {}, this::arrived)
        .bind(at)
        .addListener((ChannelFuture done) -> engine.control().execute(() -> bound(done)));
  }

  InetSocketAddress at() {
    return at;
  }

  /** Succeeds once it listens; fails if it cannot. */
  Future<Void> bound() {
    return bound;
  }

  private void bound(ChannelFuture done) {
    if (done.isSuccess()) {
      socket = done.channel();
      acceptance = Listening.acceptance(socket);
      bound.setSuccess(null);
      if (seats.isEmpty()) {
        close(socket);
      }
    } else {
      bound.setFailure(done.cause());
      left();
    }
  }

  private void close(Channel listening) {
    listening.close().addListener(_ -> engine.control().execute(this::left));
  }

  private void left() {
    whenLeft.accept(this);
    gone.trySuccess(null);
  }

  /** Whether nobody has a place any more: it will be closed. */
  boolean isLeft() {
    return seats.isEmpty();
  }

  /** Succeeds when it listens no more. */
  Future<Void> gone() {
    return gone;
  }

  /** A place for a door. */
  Seat seat(Entrance entrance, Door door) {
    var seat = new Seat(entrance.names().orElseThrow(), door);
    seats.addFirst(seat);
    return seat;
  }

  /** How one of the doors listens. */
  final class Seat implements Listening {
    private final HostNames names;
    private final Door door;
    private volatile boolean open;

    private Seat(HostNames names, Door door) {
      this.names = names;
      this.door = door;
    }

    /** The lower, the sooner who asks for one of its names is led there. */
    private int rank() {
      return (open ? 0 : 1) + (door.lingers() ? 2 : 0);
    }

    @Override
    public void accept(boolean accept) {
      open = accept;
      listenIfWanted();
    }

    @Override
    public Future<?> close() {
      seats.remove(this);
      if (!seats.isEmpty()) {
        listenIfWanted();
        return engine.control().newSucceededFuture(null);
      }
      if (socket != null) {
        SharedPort.this.close(socket);
      }
      return gone;
    }

    @Override
    public boolean isPausing() {
      return acceptance != null && acceptance.isPausing();
    }

    @Override
    public EventLoop accepting() {
      return socket == null ? engine.loops().next() : socket.eventLoop();
    }
  }

  private void listenIfWanted() {
    if (acceptance != null) {
      acceptance.want(seats.stream().anyMatch(seat -> seat.open));
    }
  }

  // ---- on the event loops of clients ---------------------------------------------------------

  /** A client is led nowhere; returns how many were before it, unless nothing is to be said. */
  OptionalLong unled(Unled reason) {
    engine.meters().unled(reason);
    return log.turn(reason);
  }

  /** A client was led nowhere that comes again by itself: nothing is to be said. */
  void nobodyThere() {
    engine.meters().unled(Unled.NOBODY_THERE);
  }

  /** Says how many more clients were led nowhere. On the control thread. */
  void tellLeftOut() {
    log.tellLeftOut(
        (reason, count) ->
            LOG.atWarn()
                .addKeyValue("port", at.getPort())
                .addKeyValue("reason", reason.label())
                .addKeyValue("leftOut", count)
                .log("Refused more clients"));
  }

  private void arrived(SocketChannel client) {
    var newest = seats.stream().findFirst();
    if (newest.isEmpty()) {
      LetGo.say(client);
      return;
    }
    HostAsked.read(
        client,
        newest.get().door.standsFor().gateway().proxyProtocol(),
        this,
        engine.network().tlsHandshakeTimeout());
  }

  /**
   * The door for a name: one that is open, if there is one; else the newest. A generation that is
   * being prepared has a door, too, and nobody is to wait there for it. Whose name it was goes
   * last.
   */
  Optional<Led> led(String name) {
    @Nullable Led best = null;
    int rank = Integer.MAX_VALUE;
    for (var seat : seats) {
      var node = seat.names.node(name);
      if (node.isPresent() && seat.rank() < rank) {
        rank = seat.rank();
        best = new Led(seat.door, node.get());
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * Where a name leads to.
   *
   * @param node that it stands for; empty: any
   */
  record Led(Door door, OptionalInt node) {}

  /** Whether the name is, or was, somebody's who has no door now. */
  boolean isKnown(String name) {
    return all.isKnown(name);
  }

  /** The names that lead somewhere, for a person. */
  List<String> names() {
    return seats.stream().map(seat -> seat.names.toString()).distinct().toList();
  }
}
