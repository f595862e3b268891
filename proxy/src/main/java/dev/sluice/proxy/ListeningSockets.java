package dev.sluice.proxy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sockets that a virtual cluster listens on, whichever of its generations is behind them: one
 * for each address and port that some generation names. What two generations name is bound once,
 * stays bound while one hands over to the other, and is closed when none names it any more.
 *
 * <p>Bound, a socket accepts nobody until {@link #admit}: who arrives before waits in the kernel's
 * backlog. The exception is one that is bound beside another that listens at all addresses: the
 * kernel gives it those who would have come to that, so it lets them in at once. Belongs to the
 * control thread.
 */
final class ListeningSockets {

  /** What one read of a socket takes at first, and at most, in bytes. */
  static final int FIRST_READ_BYTES = 16 * 1024;

  static final int LARGEST_READ_BYTES = 256 * 1024;

  /** Connections that wait in the kernel to be accepted. */
  private static final int BACKLOG = 1024;

  /** When more than this waits to be written the other side is not read, in bytes. */
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

  private final String virtualCluster;
  private final Engine engine;
  private final Map<Entrance.Place, Door> doors = new HashMap<>();

  /** Who serves whoever arrives; null: nobody. */
  private @Nullable Generation admitted;

  /** Succeeds when every socket that was given up so far is closed. */
  private Future<?> closed;

  ListeningSockets(String virtualCluster, Engine engine) {
    this.virtualCluster = virtualCluster;
    this.engine = engine;
    this.closed = engine.control().newSucceededFuture(null);
  }

  // ---- what is listened on -------------------------------------------------------------------

  /**
   * Names entrances: listens where nobody does yet.
   *
   * @return the doors that are named, for {@link #forget}; fails with {@link RefusedPorts}, and
   *     then nothing is named that was not before
   */
  Future<List<Door>> name(Collection<Entrance> entrances) {
    Promise<List<Door>> named = engine.control().newPromise();
    // A port that is being closed is still busy.
    closed.addListener(_ -> nameNow(entrances, named));
    return named;
  }

  private void nameNow(Collection<Entrance> entrances, Promise<List<Door>> named) {
    List<Door> taken = new ArrayList<>();
    List<RefusedPorts.Refused> refused = new ArrayList<>();
    var attempts = new PromiseCombiner(engine.control());
    for (var entrance : entrances) {
      var door = doors.computeIfAbsent(entrance.place(), _ -> bind(entrance));
      door.named();
      taken.add(door);
      Promise<Void> attempt = engine.control().newPromise();
      attempts.add((Future<?>) attempt);
      door.bound()
          .addListener(
              bound -> {
                if (!bound.isSuccess()) {
                  refused.add(RefusedPorts.Refused.at(entrance, bound.cause()));
                }
                attempt.setSuccess(null);
              });
    }
    all(attempts)
        .addListener(
            _ -> {
              if (refused.isEmpty()) {
                named.setSuccess(taken);
              } else {
                forget(taken).addListener(_ -> named.setFailure(new RefusedPorts(refused)));
              }
            });
  }

  /**
   * Doors that were named are so once less; those that nobody else names are closed. One that a
   * wider one covers stays as long as that does: the kernel has queued clients at it up to the
   * moment in which it would be closed, and would reset them.
   */
  Future<?> forget(Collection<Door> named) {
    named.forEach(Door::unnamed);
    var closing = new PromiseCombiner(engine.control());
    closing.add((Future<?>) closed);
    for (var door : List.copyOf(doors.values())) {
      if (!door.isNamed() && doors.values().stream().noneMatch(other -> other.covers(door))) {
        doors.remove(door.standsFor().place(), door);
        closing.add((Future<?>) close(door));
      }
    }
    closed = all(closing);
    return closed;
  }

  private Future<?> close(Door door) {
    engine.portHolders().listensNoMore(door.standsFor().at(), virtualCluster);
    return door.close();
  }

  private Future<Void> all(PromiseCombiner some) {
    Promise<Void> all = engine.control().newPromise();
    some.finish(all);
    return all;
  }

  /** Succeeds when every socket that was given up so far is closed. */
  Future<?> closed() {
    return closed;
  }

  /** A port that is listened on at another address already is shared just while that is done. */
  private Door bind(Entrance entrance) {
    var door = new Door(entrance, engine.control());
    if (entrance.names().isPresent()) {
      take(entrance, door);
      return door;
    }
    var beside = doors.values().stream().filter(one -> one.meets(entrance.at())).toList();
    var reusePort = engine.transport().reusePort();
    beside.forEach(one -> one.shares(reusePort));
    var bootstrap =
        bootstrap(engine, _ -> door.accepted(), client -> door.arrived(Arrival.unread(client)));
    if (!beside.isEmpty()) {
      bootstrap.option(reusePort, true);
    }
    bootstrap
        .bind(entrance.at())
        .addListener(
            (ChannelFuture bound) ->
                engine
                    .control()
                    .execute(
                        () -> {
                          beside.forEach(one -> one.sharesNoMore(reusePort));
                          bound(door, bound, beside);
                        }));
    return door;
  }

  /** Takes a place at a port that others may have places at, too. */
  private void take(Entrance entrance, Door door) {
    engine
        .sharedPorts()
        .open(entrance, door, engine)
        .addListener(
            (Future<Listening> taken) -> {
              if (taken.isSuccess()) {
                engine.portHolders().listens(entrance.at(), virtualCluster);
                door.listensOn(taken.getNow());
              } else {
                doors.remove(entrance.place(), door);
                door.cannotListen(taken.cause());
              }
            });
  }

  private void bound(Door door, ChannelFuture bound, List<Door> beside) {
    var at = door.standsFor().at();
    if (!bound.isSuccess()) {
      doors.remove(door.standsFor().place(), door);
      door.cannotListen(bound.cause());
      return;
    }
    if (!beside.isEmpty()) {
      bound.channel().config().setOption(engine.transport().reusePort(), false);
    }
    engine.portHolders().listens(at, virtualCluster);
    // Whoever waits for it goes on within: it may be given up again right away.
    door.listensOn(Listening.alone(bound.channel()));
    var now = admitted;
    if (now != null
        && doors.containsValue(door)
        && beside.stream().anyMatch(one -> one.givesWayTo(at))) {
      open(door, now);
    }
  }

  /**
   * What listens on a port, and accepts nobody before it is told to.
   *
   * @param accepted is told when the kernel has handed over a client, on the loop that accepts
   * @param arrived is told of it on its own event loop
   */
  static ServerBootstrap bootstrap(
      Engine engine, Consumer<Object> accepted, Consumer<SocketChannel> arrived) {
    return new ServerBootstrap()
        .group(engine.loops())
        .channel(engine.transport().serverSocket())
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.AUTO_READ, false)
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.SO_KEEPALIVE, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
        .handler(
            new ChannelInitializer<ServerSocketChannel>() {
              @Override
              protected void initChannel(ServerSocketChannel socket) {
                socket.pipeline().addLast(new Acceptance(socket, engine, accepted));
              }
            })
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel client) {
                arrived.accept(client);
              }
            });
  }

  /** What every connection, of a client or to a broker, reads by. */
  static AdaptiveRecvByteBufAllocator readSizes() {
    return new AdaptiveRecvByteBufAllocator(1024, FIRST_READ_BYTES, LARGEST_READ_BYTES);
  }

  static WriteBufferWaterMark waterMark() {
    return WATER_MARK;
  }

  // ---- who is behind -------------------------------------------------------------------------

  /** From now on this generation serves who arrives, at whatever socket, and who has waited. */
  void admit(Generation generation) {
    admitted = generation;
    doors.values().forEach(door -> open(door, generation));
  }

  private static void open(Door door, Generation generation) {
    var entrance = generation.entrance(door.standsFor());
    door.open(entrance, client -> generation.arrived(client, entrance));
  }

  /** From now on who arrives waits. */
  void hold() {
    admitted = null;
    doors.values().forEach(Door::hold);
  }

  /** Who waits is told the end. */
  void letGo() {
    doors.values().forEach(Door::letGo);
  }

  /** Listens on nothing any more, though generations name it: clients are to look elsewhere. */
  void shut() {
    admitted = null;
    var closing = new PromiseCombiner(engine.control());
    closing.add((Future<?>) closed);
    doors.values().forEach(door -> closing.add((Future<?>) close(door)));
    doors.clear();
    closed = all(closing);
  }
}
