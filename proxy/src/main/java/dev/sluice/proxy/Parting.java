package dev.sluice.proxy;

import dev.sluice.proxy.EndsReading.Next;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a connection comes to its end. Ends are passed on, never cut: bytes that were read are
 * forwarded before the other side is told of an end; how a socket is closed, {@link Farewell} says.
 * Belongs to the connection's event loop.
 */
final class Parting {

  private static final Logger LOG = LoggerFactory.getLogger(Parting.class);

  private final ClientConnection connection;
  private final SocketChannel client;
  private final Farewell farewell;
  private final long openedAt = System.nanoTime();

  private @Nullable DisconnectCause cause;
  private volatile boolean clientEnded;
  private boolean ending;
  private boolean left;

  Parting(ClientConnection connection) {
    this.connection = connection;
    this.client = connection.client();
    this.farewell = new Farewell(client, connection.generation().idleTimeout(), this::leaveIfOver);
  }

  /** Whether both sides are being told the end. */
  boolean isEnding() {
    return ending;
  }

  /** Whether the client was told the end, after all that was handed over. */
  boolean hasSaidEnd() {
    return farewell.isSaid();
  }

  /** Whether it is over, and counted. */
  boolean hasLeft() {
    return left;
  }

  /** Whether the client has sent its last byte. */
  boolean clientHasEnded() {
    return clientEnded;
  }

  // ---- what happens --------------------------------------------------------------------------

  /** The client has sent its last byte; it may still read. */
  void clientEnded() {
    clientEnded = true;
    note(DisconnectCause.CLIENT_CLOSED);
    farewell.peerEnded();
    connection.quiet().clientEnded();
    endIfQuiet();
  }

  /** The client's channel is closed. What was read before is still forwarded. */
  void clientClosed() {
    clientEnded = true;
    note(DisconnectCause.CLIENT_CLOSED);
    connection.quiet().clientLost();
    if (!isForwarding()) {
      end(DisconnectCause.CLIENT_CLOSED, null);
    }
    leaveIfOver();
  }

  /** Whether something that was read is on its way to the broker, and not yet with its channel. */
  private boolean isForwarding() {
    return connection.brokerSide().isDialling() || connection.filtering().isAsking();
  }

  /** What was read has been forwarded: that was all if the client is gone. */
  void endIfClientLeft() {
    if (!client.isOpen() && !isForwarding()) {
      connection.brokerSide().flush();
      end(DisconnectCause.CLIENT_CLOSED, null);
    }
  }

  /** The client and its gateway could not agree upon TLS. What speaks TLS closes the channel. */
  void handshakeFailed(Throwable failure) {
    if (failure instanceof SslHandshakeTimeoutException) {
      connection.generation().meters().reached(Limit.TLS_HANDSHAKE);
    }
    if (failure instanceof OutOfMemoryError want) {
      cutForWantOfMemory(want);
    } else if (Handshakes.isDeparture(failure)) {
      note(DisconnectCause.CLIENT_CLOSED);
    } else {
      end(DisconnectCause.TLS_FAILED, Handshakes.inWords(failure));
    }
  }

  /** The client's socket, or the handling of it, failed. */
  void clientFailed(Throwable failure) {
    if (failure instanceof OutOfMemoryError want) {
      cutForWantOfMemory(want);
      return;
    }
    try {
      report(failure);
    } finally { // Also where it cannot be told.
      note(DisconnectCause.FAILED);
      if (failure instanceof IOException) {
        Handshakes.cut(client);
      } else {
        end(DisconnectCause.FAILED, null);
      }
    }
  }

  /** The broker has sent its last byte. */
  void upstreamEnded() {
    var upstream = connection.brokerSide().upstream();
    if (upstream != null) {
      upstream.farewell().peerEnded();
    }
    connection.quiet().upstreamEnded();
    end(DisconnectCause.UPSTREAM_CLOSED, null);
  }

  /** The upstream channel is closed. */
  void upstreamClosed() {
    end(DisconnectCause.UPSTREAM_CLOSED, null);
    leaveIfOver();
  }

  /** The broker's socket, or the handling of it, failed. */
  void upstreamFailed(Throwable failure) {
    if (failure instanceof OutOfMemoryError want) {
      cutForWantOfMemory(want);
      return;
    }
    try {
      report(failure);
    } finally { // Also where it cannot be told.
      end(
          failure instanceof IOException ? DisconnectCause.UPSTREAM_CLOSED : DisconnectCause.FAILED,
          null);
    }
  }

  /**
   * At once: what waits to be written is memory that others want. Why is said after that: it takes
   * memory, too, and where there is none it stays unsaid.
   */
  private void cutForWantOfMemory(OutOfMemoryError failure) {
    boolean known = ending;
    note(DisconnectCause.NO_MEMORY);
    cut();
    if (known) {
      return;
    }
    try {
      tell(
          DisconnectCause.NO_MEMORY,
          "no memory was left for its bytes: "
              + failure.getMessage()
              + "; raise -XX:MaxDirectMemorySize, or -Xmx, or lower limits.maxConnections");
    } catch (OutOfMemoryError _) {
      // It is cut, and counted with its cause.
    }
  }

  private void report(Throwable failure) {
    if (failure instanceof IOException) {
      LOG.atDebug()
          .addKeyValue("virtualCluster", connection.generation().name())
          .setCause(failure)
          .log("Connection reset");
    } else {
      connection
          .generation()
          .log()
          .turn(DisconnectCause.FAILED)
          .ifPresent(
              leftOut ->
                  SparseLog.after(leftOut, LOG.atError())
                      .addKeyValue("virtualCluster", connection.generation().name())
                      .addKeyValue("client", connection.from())
                      .setCause(failure)
                      .log("Closed a connection after a defect of the proxy"));
    }
  }

  // ---- what follows --------------------------------------------------------------------------

  /**
   * Ends the connection: what was handed to either side's channel is written, then it is told the
   * end.
   *
   * @param why a sentence for the log; null where there is nothing remarkable
   */
  void end(DisconnectCause because, @Nullable String why) {
    note(because);
    if (ending) {
      return;
    }
    ending = true;
    try {
      if (why != null) {
        tell(because, why);
      }
    } finally {
      endBothSides(); // Also where no memory was left for the line.
    }
  }

  private void endBothSides() {
    connection.requests().release();
    connection.clientSide().release();
    connection.filtering().release();
    connection.quiet().release();
    var upstream = connection.brokerSide().upstream();
    if (upstream != null) {
      upstream.farewell().close();
    }
    farewell.close();
  }

  private void tell(DisconnectCause because, String why) {
    connection.generation().log().turn(because).ifPresent(leftOut -> say(because, why, leftOut));
  }

  private void say(DisconnectCause because, String why, long leftOut) {
    SparseLog.after(leftOut, LOG.atWarn())
        .addKeyValue("virtualCluster", connection.generation().name())
        .addKeyValue("client", connection.from())
        .addKeyValue("cause", because.label())
        .log("Closed a connection: {}", why);
  }

  /** Ends at once, whatever is left. */
  void cut() {
    try {
      end(DisconnectCause.FORCED, null);
      var upstream = connection.brokerSide().upstream();
      if (upstream != null) {
        upstream.farewell().closeSoon();
      }
    } finally {
      Handshakes.cut(client);
    }
  }

  /** Tells the client the end once all is written; it is read on, to its own. */
  void sayEnd() {
    note(DisconnectCause.DRAINED);
    farewell.sayEnd();
  }

  /** The first cause is the one that counts. */
  private DisconnectCause note(DisconnectCause because) {
    var first = cause;
    if (first != null) {
      return first;
    }
    cause = because;
    return because;
  }

  /** Ends the connection if its client has said its end and nothing is left to do for it. */
  void endIfQuiet() {
    if (!clientEnded) {
      return;
    }
    var next = reading().next();
    var upstream = connection.brokerSide().upstream();
    if (next == Next.END) {
      end(DisconnectCause.CLIENT_CLOSED, null);
    } else if (next == Next.TELL_BROKER && upstream != null) {
      upstream.farewell().sayEnd();
    }
  }

  /** Counts it as over, once. */
  void leaveIfOver() {
    if (!left && reading().isOver()) {
      left = true;
      connection.generation().meters().finished(connection.unanswered());
      connection.generation().connections().closed(connection, note(DisconnectCause.CLIENT_CLOSED));
    }
  }

  private EndsReading reading() {
    var brokerSide = connection.brokerSide();
    return new EndsReading(
        clientEnded,
        !client.isOpen(),
        connection.requests().hasParked(),
        isForwarding(),
        brokerSide.isForwarded(),
        connection.quiet().isUnderWay(),
        ending,
        connection.unanswered());
  }

  // ---- idle ----------------------------------------------------------------------------------

  /** Safe from every thread: whether a look from its own is worth it. */
  boolean mayBeIdle(long now, NetworkSpec network) {
    long progress = network.progressTimeout().toNanos();
    return connection.asking().isStuck(now, progress)
        || connection.answering().isStuck(now, progress)
        || (clientEnded && isStill(now, network.progressTimeout()))
        || idleness(now, network, false) != Idleness.NONE;
  }

  private Idleness idleness(long now, NetworkSpec network, boolean waiting) {
    return Idleness.of(
        connection.clientSide().wasServed(),
        waiting,
        now - openedAt,
        now - connection.movedAt(),
        network);
  }

  /** Whether the client waits for an answer; not if it waits for the client to read or to send. */
  private boolean isWaiting() {
    return connection.inFlight().awaitsAnswer()
        && client.isWritable()
        && !connection.requests().isWithinFrame();
  }

  private boolean isStill(long now, Duration longest) {
    return now - connection.movedAt() > longest.toNanos();
  }

  /**
   * For who has left, and most likely does not read either, an answer is not waited for so long;
   * longer where it holds up requests that are read and were not forwarded.
   */
  private boolean isLeftWaiting(long now, NetworkSpec network) {
    return clientEnded
        && isWaiting()
        && isStill(
            now,
            connection.requests().hasParked() ? network.idleTimeout() : network.progressTimeout());
  }

  void endIfIdle(long now, NetworkSpec network) {
    if (ending) {
      return;
    }
    if (isLeftWaiting(now, network)) {
      connection.generation().meters().reached(Limit.PROGRESS);
      end(DisconnectCause.CLIENT_CLOSED, null);
      return;
    }
    switch (idleness(now, network, isWaiting())) {
      case NONE -> endIfStuck(now, network);
      case IDLE -> {
        connection.generation().meters().reached(Limit.IDLE);
        end(DisconnectCause.IDLE, null);
      }
      case NEVER_SERVED -> {
        connection.generation().meters().reached(Limit.UNAUTHENTICATED);
        end(
            DisconnectCause.IDLE,
            "no request was answered within unauthenticatedIdleTimeout of "
                + network.unauthenticatedIdleTimeout().toMillis()
                + " ms");
      }
    }
  }

  /** Only who is read can be blamed for sending nothing. */
  private void endIfStuck(long now, NetworkSpec network) {
    long limit = network.progressTimeout().toNanos();
    if (client.config().isAutoRead() && connection.asking().isStuck(now, limit)) {
      endStuck("a request of the client", network);
    } else if (connection.brokerSide().isRead() && connection.answering().isStuck(now, limit)) {
      endStuck("a response of the broker", network);
    }
  }

  private void endStuck(String what, NetworkSpec network) {
    connection.generation().meters().reached(Limit.PROGRESS);
    end(
        DisconnectCause.STALLED,
        "%s had begun and did not go on within progressTimeout of %d ms"
            .formatted(what, network.progressTimeout().toMillis()));
  }
}
