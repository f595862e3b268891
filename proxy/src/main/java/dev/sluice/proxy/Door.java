package dev.sluice.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that is listened on. Who arrives is taken in by whoever keeps the door; while nobody does,
 * who arrives waits, unread: most of them in the kernel's backlog, a few accepted already.
 *
 * <p>The keeper is changed by one write: no client sees anything between the former and the next.
 * Belongs to the control thread, but {@link #accepted} and {@link #arrived}.
 */
final class Door {

  /** Takes in clients. */
  interface Keeper {

    /**
     * A client is here. On its event loop.
     *
     * @return false where somebody else keeps the door by now
     */
    boolean arrived(SocketChannel client);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Door.class);

  /** For how long nobody must have arrived before a backlog counts as empty. */
  private static final long QUIET_MILLIS = 10;

  /** How often that is looked at, at most: clients may arrive faster than that for ever. */
  private static final int MOST_LOOKS = 50;

  private final EventExecutor control;

  /** How many the kernel has handed over, and how many of them have reached their event loop. */
  private final AtomicLong accepted = new AtomicLong();

  private final AtomicLong arrived = new AtomicLong();

  /** Accepted while nobody kept the door. At most what one round of accepting takes. */
  private final Set<SocketChannel> held = ConcurrentHashMap.newKeySet();

  private final Promise<Void> bound;
  private volatile @Nullable Keeper keeper;
  private @Nullable Channel channel;
  private Entrance standsFor;
  private int names;

  /** How many sockets are just being bound beside this one. */
  private int besides;

  /** Whether the keeper only says goodbye, for a moment. */
  private boolean lettingGo;

  Door(Entrance standsFor, EventExecutor control) {
    this.standsFor = standsFor;
    this.control = control;
    this.bound = control.newPromise();
  }

  /** What it stands for, by whoever named it last. */
  Entrance standsFor() {
    return standsFor;
  }

  /** Succeeds once it listens; fails if it cannot. */
  Future<Void> bound() {
    return bound;
  }

  /** It listens, on a channel that does not accept yet. */
  void listensOn(Channel listening) {
    channel = listening;
    bound.setSuccess(null);
  }

  void cannotListen(Throwable cause) {
    bound.setFailure(cause);
  }

  /** One generation more names it. */
  void named() {
    names++;
  }

  /** One generation less names it; returns whether none does any more. */
  boolean unnamed() {
    names--;
    return names == 0;
  }

  // ---- another address of the same port ------------------------------------------------------

  /** Whether not both can listen without sharing the port: one is at all addresses. */
  boolean meets(InetSocketAddress other) {
    var here = standsFor.at();
    return here.getPort() == other.getPort()
        && !here.equals(other)
        && (here.getAddress().isAnyLocalAddress() || other.getAddress().isAnyLocalAddress());
  }

  /** Whether who arrives here arrives at the other from now on, since that is the nearer one. */
  boolean givesWayTo(InetSocketAddress other) {
    return meets(other) && standsFor.at().getAddress().isAnyLocalAddress();
  }

  /** While another socket of this virtual cluster is bound to its port it does not keep it. */
  void shares(ChannelOption<Boolean> reusePort) {
    besides++;
    set(reusePort, true);
  }

  /** The other socket is bound, or could not be. */
  void sharesNoMore(ChannelOption<Boolean> reusePort) {
    besides--;
    set(reusePort, besides > 0);
  }

  private void set(ChannelOption<Boolean> reusePort, boolean shared) {
    if (channel == null || !channel.isOpen()) {
      return;
    }
    try {
      channel.config().setOption(reusePort, shared);
    } catch (ChannelException | UnsupportedOperationException e) {
      // The system does not share ports: binding the other socket says so.
      LOG.atDebug().setCause(e).log("A port cannot be shared");
    }
  }

  // ---- who is let in -------------------------------------------------------------------------

  /** The kernel has handed over a client. On the event loop that accepts. */
  void accepted() {
    accepted.incrementAndGet();
  }

  /** A client is here. On its event loop. */
  void arrived(SocketChannel client) {
    if (!isTakenIn(client)) {
      hold(client);
    }
    arrived.incrementAndGet();
  }

  private boolean isTakenIn(SocketChannel client) {
    for (var now = keeper; now != null; now = keeper) {
      if (now.arrived(client)) {
        return true;
      }
    }
    return false;
  }

  private void hold(SocketChannel client) {
    client.config().setAutoRead(false);
    held.add(client);
    client.closeFuture().addListener(_ -> held.remove(client));
    letIn(client); // It may have been opened meanwhile.
  }

  private void letIn(SocketChannel client) {
    if (keeper == null || !held.remove(client)) {
      return;
    }
    if (isTakenIn(client)) {
      client.config().setAutoRead(true);
    } else {
      hold(client);
    }
  }

  /** From now on this keeper takes in who arrives, who waits, and who was accepted and is held. */
  void open(Entrance as, Keeper next) {
    standsFor = as;
    lettingGo = false;
    letInBy(next);
  }

  private void letInBy(Keeper next) {
    keeper = next;
    accept(true);
    held.forEach(client -> client.eventLoop().execute(() -> letIn(client)));
  }

  /** From now on who arrives waits. */
  void hold() {
    lettingGo = false;
    keeper = null;
    accept(false);
  }

  /** Who waits now is told the end; who arrives later waits again. */
  void letGo() {
    if (keeper == null) {
      lettingGo = true;
      letInBy(LetGo::say);
      whenBacklogIsEmpty(
          () -> {
            if (lettingGo) {
              hold();
            }
          });
    }
  }

  private void accept(boolean accept) {
    if (channel != null) {
      channel.config().setAutoRead(accept);
    }
  }

  // ---- the end -------------------------------------------------------------------------------

  /**
   * Listens no more. Where somebody keeps the door, who waits is taken in first; else who waits is
   * refused, and who was accepted and held is told the end.
   */
  Future<?> close() {
    var listening = channel;
    if (listening == null) {
      return control.newSucceededFuture(null);
    }
    Promise<Void> closed = control.newPromise();
    if (keeper == null) {
      keeper = LetGo::say;
      listening.close().addListener(new PromiseNotifier<>(closed));
      held.forEach(client -> client.eventLoop().execute(() -> letIn(client)));
    } else {
      whenBacklogIsEmpty(() -> listening.close().addListener(new PromiseNotifier<>(closed)));
    }
    return closed;
  }

  private void whenBacklogIsEmpty(Runnable then) {
    var listening = channel;
    if (listening == null) {
      then.run();
    } else {
      look(listening.eventLoop(), -1, MOST_LOOKS, then);
    }
  }

  /**
   * Looks on the event loop that accepts: between two looks it has asked the kernel once more, so
   * that nobody is overlooked because that loop was busy with others.
   */
  private void look(EventLoop accepting, long seen, int looks, Runnable then) {
    var _ =
        accepting.schedule(
            () -> {
              long now = accepted.get();
              if (looks > 1 && (now != seen || arrived.get() < now)) {
                look(accepting, now, looks - 1, then);
              } else {
                control.execute(then);
              }
            },
            QUIET_MILLIS,
            TimeUnit.MILLISECONDS);
  }
}
