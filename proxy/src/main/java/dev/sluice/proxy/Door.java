package dev.sluice.proxy;

import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
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
    boolean arrived(Arrival client);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Door.class);

  /** For how long nobody must have arrived before a backlog counts as empty. */
  private static final long QUIET_MILLIS = 10;

  /** How often that is looked at, at most: clients may arrive faster than that for ever. */
  private static final int MOST_LOOKS = 50;

  /** Who comes when so many are held is told the end. */
  private static final int MOST_HELD = 10_000;

  private final EventExecutor control;

  /** How many the kernel has handed over, and how many of them have reached their event loop. */
  private final AtomicLong accepted = new AtomicLong();

  private final AtomicLong arrived = new AtomicLong();

  /**
   * Accepted while nobody kept the door. At most what one round of accepting takes, and on a port
   * that is shared {@value #MOST_HELD}.
   */
  private final Set<Arrival> held = ConcurrentHashMap.newKeySet();

  private final Promise<Void> bound;
  private volatile @Nullable Keeper keeper;
  private @Nullable Listening listening;
  private volatile Entrance standsFor;
  private volatile boolean lingers;

  /** How many sockets are just being bound beside this one. */
  private int besides;

  /** Whether the keeper only says goodbye, for a moment. */
  private boolean lettingGo;

  Door(Entrance standsFor, EventExecutor control) {
    this.standsFor = standsFor;
    this.control = control;
    this.bound = control.newPromise();
  }

  /** What it stands for, by whoever was admitted last. Safe from every thread. */
  Entrance standsFor() {
    return standsFor;
  }

  /** Succeeds once it listens; fails if it cannot. */
  Future<Void> bound() {
    return bound;
  }

  /** It listens, on a channel that does not accept yet. */
  void listensOn(Listening socket) {
    listening = socket;
    bound.setSuccess(null);
  }

  void cannotListen(Throwable cause) {
    bound.setFailure(cause);
  }

  /** Whether it is open only for clients that do not know yet where else to go. */
  void lingers(boolean now) {
    lingers = now;
  }

  /** Safe from every thread. */
  boolean lingers() {
    return lingers;
  }

  // ---- another address of the same port ------------------------------------------------------

  /** Whether not both can listen without sharing the port: one is at all addresses. */
  boolean meets(InetSocketAddress other) {
    var here = standsFor.at();
    return standsFor.names().isEmpty()
        && here.getPort() == other.getPort()
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
    var socket = listening;
    if (socket == null) {
      return;
    }
    try {
      socket.set(reusePort, shared);
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
  void arrived(Arrival client) {
    if (!isTakenIn(client)) {
      hold(client);
    }
    arrived.incrementAndGet();
  }

  private boolean isTakenIn(Arrival client) {
    for (var now = keeper; now != null; now = keeper) {
      if (now.arrived(client)) {
        client.entering().run();
        return true;
      }
    }
    return false;
  }

  private void hold(Arrival client) {
    if (held.size() >= MOST_HELD) {
      LetGo.say(client);
      client.entering().run();
      return;
    }
    client.client().config().setAutoRead(false);
    HeldHandler.hold(client.client());
    held.add(client);
    client.client().closeFuture().addListener(_ -> held.remove(client));
    letIn(client); // It may have been opened meanwhile.
  }

  private void letIn(Arrival client) {
    if (keeper == null || !held.remove(client)) {
      return;
    }
    if (isTakenIn(client)) {
      // First: who reads what is handed on may want to pause.
      client.client().config().setAutoRead(true);
      HeldHandler.handOn(client.client());
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
    letInAll();
  }

  private void letInAll() {
    held.forEach(each -> each.client().eventLoop().execute(() -> letIn(each)));
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
    if (listening != null) {
      listening.accept(accept);
    }
  }

  // ---- the end -------------------------------------------------------------------------------

  /**
   * Listens no more. Where somebody keeps the door, who waits is taken in first; else who waits is
   * refused, and who was accepted and held is told the end.
   */
  Future<?> close() {
    var socket = listening;
    if (socket == null) {
      return control.newSucceededFuture(null);
    }
    Promise<Void> closed = control.newPromise();
    if (keeper == null) {
      keeper = LetGo::say;
      socket.close().addListener(_ -> closed.setSuccess(null));
      letInAll();
    } else {
      whenBacklogIsEmpty(() -> socket.close().addListener(_ -> closed.setSuccess(null)));
    }
    return closed;
  }

  private void whenBacklogIsEmpty(Runnable then) {
    var socket = listening;
    if (socket == null) {
      then.run();
    } else {
      look(socket, -1, MOST_LOOKS, then);
    }
  }

  /**
   * Looks on the event loop that accepts: between two looks it has asked the kernel once more, so
   * that nobody is overlooked because that loop was busy with others. While accepting pauses it has
   * not asked.
   */
  private void look(Listening at, long seen, int looks, Runnable then) {
    var _ =
        at.accepting()
            .schedule(
                () -> {
                  long now = accepted.get();
                  boolean pausing = at.isPausing();
                  boolean mayBeMore = now != seen || arrived.get() < now || pausing;
                  if (looks > 1 && mayBeMore) {
                    // A pause that ends right before the next look leaves no time to ask.
                    look(at, pausing ? -1 : now, looks - 1, then);
                  } else {
                    control.execute(then);
                  }
                },
                QUIET_MILLIS,
                TimeUnit.MILLISECONDS);
  }
}
