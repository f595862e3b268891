package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.protocol.Apis;
import dev.sluice.proxy.Straggler.Wait;
import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection and the upstream connection that serves it. Both live on one event loop,
 * and so does everything here that is not said to be safe from elsewhere.
 *
 * <p>This is what its parts share: which generation serves it, and whether the client is read.
 * {@link BrokerSide} leads to the broker, {@link ClientSide} back to the client, {@link GoingQuiet}
 * is there when it is to make room, and {@link Parting} brings it to its end.
 */
final class ClientConnection {

  /** Why the client is not read. */
  enum Pause {
    DIALLING(1),
    UPSTREAM_FULL(2),
    IN_FLIGHT_FULL(4),
    QUIESCING(8),
    FILTERING(16);

    private final int bit;

    Pause(int bit) {
      this.bit = bit;
    }
  }

  private final OptionalInt node;
  private final SocketChannel client;
  private final InFlight inFlight = new InFlight();
  private final HalfFrame asking = new HalfFrame();
  private final HalfFrame answering = new HalfFrame();
  private final Introduction introduction;
  private final ClientSide clientSide;
  private final BrokerSide brokerSide;
  private final Parting parting;
  private final GoingQuiet quiet;
  private final Filtering filtering;
  private final RequestHandler requests;

  private NodePorts gateway;
  private volatile InetSocketAddress from;
  private int pauses;

  /** Whether the end of {@link Pause#QUIESCING} is on its way. */
  private boolean readingOn;

  private volatile Generation generation;
  private volatile long movedAt = System.nanoTime();

  ClientConnection(Generation generation, Entrance entrance, Arrival arrival) {
    this.generation = generation;
    this.gateway = entrance.gateway();
    this.node = entrance.node(arrival);
    this.client = arrival.client();
    this.from = arrival.from();
    this.introduction = new Introduction(node);
    this.filtering = new Filtering(this);
    this.clientSide = new ClientSide(this);
    this.brokerSide = new BrokerSide(this);
    this.parting = new Parting(this);
    this.quiet = new GoingQuiet(this);
    this.requests = new RequestHandler(this, generation.limits());
    if (entrance.names().isEmpty()) {
      ProxyHeader.read(client, gateway.proxyProtocol(), this::camePast, this::refuse);
    }
    generation.encryption().speakWith(client, gateway, generation.engine());
    client.pipeline().addLast(requests);
  }

  /** Which generation serves it. Changes on the event loop; may be asked from everywhere. */
  Generation generation() {
    return generation;
  }

  NodePorts gateway() {
    return gateway;
  }

  /** Whose port it came to; empty is the bootstrap port. */
  OptionalInt node() {
    return node;
  }

  SocketChannel client() {
    return client;
  }

  /** Where its client is, also behind a load balancer that says so. May be asked from elsewhere. */
  InetSocketAddress from() {
    return from;
  }

  private void camePast(InetSocketAddress client) {
    from = client;
  }

  private void refuse(String why) {
    end(DisconnectCause.BAD_REQUEST, why);
  }

  InFlight inFlight() {
    return inFlight;
  }

  /** What the client has begun to send. */
  HalfFrame asking() {
    return asking;
  }

  /** What the broker has begun to send. */
  HalfFrame answering() {
    return answering;
  }

  /** Who is at the other end. */
  Introduction introduction() {
    return introduction;
  }

  ClientSide clientSide() {
    return clientSide;
  }

  BrokerSide brokerSide() {
    return brokerSide;
  }

  Parting parting() {
    return parting;
  }

  GoingQuiet quiet() {
    return quiet;
  }

  Filtering filtering() {
    return filtering;
  }

  RequestHandler requests() {
    return requests;
  }

  /** Whether bytes of the client are of no use any more. */
  boolean isEnding() {
    return parting.isEnding();
  }

  /** What keeps it from going, at this moment. On its event loop. */
  Straggler straggler(long now) {
    boolean answerDue = inFlight.awaitsAnswer();
    long position = answerDue ? inFlight.answeredPosition() : inFlight.writtenPosition();
    boolean asks = !inFlight.isEmpty();
    var since = Duration.ofNanos(now - (asks ? inFlight.askedAt(position) : movedAt));
    var api = asks ? Optional.of(Apis.name(inFlight.apiKey(position))) : Optional.<String>empty();
    Wait wait;
    if (brokerSide.isDialling()) {
      wait = Wait.BROKER;
    } else if (asks) {
      wait = answerDue ? Wait.ANSWER : Wait.READING;
    } else {
      wait = parting.hasSaidEnd() ? Wait.CLIENT : Wait.TURN;
    }
    return new Straggler(introduction.clientId(), from, wait, api, since, unanswered());
  }

  /** Requests that were read and whose answers have not left. */
  int unanswered() {
    return inFlight.size() + brokerSide.oneWayPending();
  }

  // ---- asked from everywhere -----------------------------------------------------------------

  /** It is to go quiet, and to end; sooner, if it does already. Safe from every thread. */
  void mark(Terms terms) {
    client.eventLoop().execute(() -> quiet.mark(terms));
  }

  /** If it is going quiet, that is to be sooner. Safe from every thread. */
  void tighten(Terms terms) {
    client.eventLoop().execute(() -> quiet.tighten(terms));
  }

  /**
   * Another generation is to serve this client, who keeps the connection. A new upstream connection
   * is made first, where one is wanted; then the client is not read until nothing is in flight;
   * then limits, addresses and upstream connection are changed, and the client is read on. The
   * connection leaves the set of the one generation and joins that of the other.
   *
   * <p>Where that is not possible (the gateway is not there any more; brokers are reached otherwise
   * now, and the client has authenticated itself to its one, or none is reached) the connection
   * goes on with the former generation until its turn has come to go quiet and end; its client
   * comes back to the new one. Of a connection that ends already nothing changes. While a former
   * switch is waited for the newer one takes its place.
   *
   * <p>Safe from every thread.
   *
   * @param terms by when; their way does not matter
   */
  void switchTo(Generation next, Terms terms) {
    client.eventLoop().execute(() -> quiet.switchTo(next, terms));
  }

  /**
   * Ends at once. Safe from every thread.
   *
   * @return done when what that cost is told to the generation
   */
  Future<?> force() {
    return client
        .eventLoop()
        .submit(
            () -> {
              quiet.cut();
              parting.cut();
            });
  }

  /** Closes the connection if nothing has moved for too long. Safe from every thread. */
  void checkIdle(long now, NetworkSpec network) {
    if (parting.mayBeIdle(now, network)) {
      client.eventLoop().execute(() -> parting.endIfIdle(now, network));
    }
  }

  /** As {@link Parting#end}. */
  void end(DisconnectCause cause, @Nullable String why) {
    parting.end(cause, why);
  }

  // ---- reading and pausing -------------------------------------------------------------------

  void moved(long now) {
    movedAt = now;
  }

  /** When a byte last came from either side, in nanoseconds of {@link System#nanoTime}. */
  long movedAt() {
    return movedAt;
  }

  boolean isQuiescing() {
    return isPausedFor(Pause.QUIESCING);
  }

  private boolean isPausedFor(Pause pause) {
    return (pauses & pause.bit) != 0;
  }

  void pause(Pause pause) {
    pauses |= pause.bit;
    updateReading();
  }

  /**
   * Goes on with what is parked. Whatever fails then ends this connection: who asks is often a
   * listener (a broker was reached, an answer was written), from which nobody would hear of it.
   */
  void resume(Pause pause) {
    if (isPausedFor(pause)) {
      pauses &= ~pause.bit;
      try {
        requests.consumeParked();
        brokerSide.flush();
        updateReading();
        burstRead();
      } catch (RuntimeException | Error e) {
        parting.clientFailed(e);
      }
    }
  }

  /** Reads the current frame to its end, and nothing new. */
  void stopReading() {
    readingOn = false;
    pause(Pause.QUIESCING);
  }

  /** Reads on, beginning with what is parked. */
  void resumeReading() {
    readingOn = true;
    // Not within the step that asks for it: what is parked is told anew.
    client
        .eventLoop()
        .execute(
            () -> {
              if (readingOn) {
                readingOn = false;
                resume(Pause.QUIESCING);
              }
            });
  }

  /** A frame that was forwarded in part is read to its end, also while quiescing. */
  void updateReading() {
    int holding = pauses & ~Pause.QUIESCING.bit;
    boolean reads = isEnding() || (holding == 0 && (!isQuiescing() || requests.isWithinFrame()));
    if (reads && !client.config().isAutoRead()) {
      asking.isReadAgain(System.nanoTime());
    }
    client.config().setAutoRead(reads);
  }

  /** A burst of reading has ended. */
  void burstRead() {
    if (isQuiescing()) {
      updateReading();
    }
    quiet.bytesRead();
    parting.endIfQuiet();
  }

  // ---- another generation --------------------------------------------------------------------

  /**
   * The other generation is behind the connection from here on; nothing is in flight.
   *
   * @param fresh what takes the place of the upstream connection; null keeps it
   */
  void belongTo(Generation next, NodePorts gateway, @Nullable SocketChannel fresh) {
    this.generation = next;
    this.gateway = gateway;
    next.connections().joined(this);
    requests.limit(next.limits());
    brokerSide.belongTo(next, fresh);
  }

  /** Forgets that the upstream connection was full: it is another one now. */
  void upstreamReplaced() {
    pauses &= ~Pause.UPSTREAM_FULL.bit;
    updateReading();
  }

  /** Allocates where the client's bytes are. */
  ByteBuf buffer(int bytes) {
    return client.alloc().buffer(bytes);
  }
}
