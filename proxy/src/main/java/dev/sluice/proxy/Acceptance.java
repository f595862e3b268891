package dev.sluice.proxy;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ServerSocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a listening socket accepts: if its owner wants it to, and not for a moment after a
 * connection could not be taken (no file descriptor was left, say). Who arrives meanwhile waits in
 * the kernel. What the owner wants meanwhile holds when the moment is over.
 *
 * <p>Netty's own bootstrap pauses, too, and turns accepting on again by itself, also where its
 * owner has turned it off since: it does not hear of the failure. Where it is itself what failed
 * (no memory was left to take somebody in, say) it does all the same, and is not obeyed.
 */
final class Acceptance extends ChannelDuplexHandler {

  /** For how long nobody is accepted after a failure. */
  static final long PAUSE_MILLIS = 250;

  private static final Logger LOG = LoggerFactory.getLogger(Acceptance.class);

  /** What is told of it. */
  private enum Line {
    CANNOT,
    AGAIN
  }

  private final ServerSocketChannel socket;
  private final ProxyMeters meters;
  private final SparseLog<Line> log;
  private final Consumer<Object> accepted;

  private boolean wanted;
  private boolean pausing;

  /** Whether the last attempt to take somebody failed. */
  private boolean failing;

  /**
   * @param accepted is told when the kernel has handed over a client, on the loop that accepts
   */
  Acceptance(ServerSocketChannel socket, Engine engine, Consumer<Object> accepted) {
    this.socket = socket;
    this.meters = engine.meters();
    this.log =
        new SparseLog<>(Line.class, engine.network().repeatedLogInterval(), System::nanoTime);
    this.accepted = accepted;
  }

  /** The owner wants this from now on. Safe from every thread. */
  synchronized void want(boolean accept) {
    wanted = accept;
    apply();
  }

  private synchronized void pause(boolean pauses) {
    pausing = pauses;
    apply();
  }

  /** Under the lock, so that the newest wish is the last to be applied. */
  private void apply() {
    socket.config().setAutoRead(accepts());
  }

  private boolean accepts() {
    return wanted && !pausing;
  }

  /** Whether who arrives waits for a moment to be over, be it Netty's. Safe from every thread. */
  synchronized boolean isPausing() {
    return pausing || (wanted && !socket.config().isAutoRead());
  }

  /** Somebody, be it Netty itself, wants to accept. */
  @Override
  public void read(ChannelHandlerContext listening) {
    synchronized (this) {
      if (!accepts()) {
        socket.config().setAutoRead(false);
        return;
      }
    }
    listening.read();
  }

  @Override
  public void channelRead(ChannelHandlerContext listening, Object client) {
    if (failing) {
      failing = false;
      log.turn(Line.AGAIN)
          .ifPresent(
              leftOut ->
                  SparseLog.after(leftOut, LOG.atInfo())
                      .addKeyValue("at", socket.localAddress())
                      .log("Accepts connections again"));
    }
    accepted.accept(client);
    listening.fireChannelRead(client);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext listening, Throwable failure) {
    pause(true);
    var _ = socket.eventLoop().schedule(() -> pause(false), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    meters.acceptingPauses();
    failing = true;
    log.turn(Line.CANNOT)
        .ifPresent(
            leftOut ->
                SparseLog.after(leftOut, LOG.atError())
                    .addKeyValue("at", socket.localAddress())
                    .log(
                        "Cannot accept connections: {}; tries again every {} ms, and clients wait"
                            + " meanwhile; is the limit of open files (ulimit -n), or memory, too low?",
                        failure.getMessage(),
                        PAUSE_MILLIS));
  }
}
