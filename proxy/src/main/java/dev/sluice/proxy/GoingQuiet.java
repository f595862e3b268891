package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Bounds;
import dev.sluice.lifecycle.quiet.Outcome;
import dev.sluice.lifecycle.quiet.QuietReport;
import dev.sluice.lifecycle.quiet.Terms;
import dev.sluice.lifecycle.quiet.Terms.Way;
import dev.sluice.protocol.RequestPeek;
import dev.sluice.protocol.RequestTrait;
import io.netty.channel.Channel;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes a connection go quiet, to end or to be served by another generation. There is a {@link
 * QuietHost} only while it is wanted: a connection that nobody wants quiet costs nothing. Belongs
 * to the connection's event loop.
 */
final class GoingQuiet {

  private static final Logger LOG = LoggerFactory.getLogger(GoingQuiet.class);

  private final ClientConnection connection;

  private @Nullable QuietHost host;

  /** What it is to be switched to; of several, the newest. */
  private @Nullable PlannedSwitch plan;

  /** The same, while its broker is being reached. */
  private @Nullable PlannedSwitch dialling;

  /** By when that is to be over. */
  private @Nullable Terms dialTerms;

  GoingQuiet(ClientConnection connection) {
    this.connection = connection;
  }

  // ---- what is wanted ------------------------------------------------------------------------

  /** It is to go quiet, and to end. */
  void mark(Terms terms) {
    abandonSwitch();
    goQuiet(terms);
  }

  /** If it is going quiet, that is to be sooner; to what end does not change. */
  void tighten(Terms terms) {
    if (dialling != null) {
      dialTerms = terms;
    } else if (plan != null) {
      goQuiet(terms.by(plan.way()));
    } else if (isUnderWay()) {
      goQuiet(terms);
    }
  }

  private void goQuiet(Terms terms) {
    if (host == null) {
      if (connection.isEnding()) {
        return;
      }
      host = new QuietHost(connection);
    }
    host.mark(terms, connection.requests().isWhole(), connection.clientSide().wasServed());
    if (host != null && connection.parting().clientHasEnded()) {
      host.clientEnded();
    }
  }

  /** As {@link ClientConnection#switchTo}. */
  void switchTo(Generation next, Terms terms) {
    if (connection.isEnding() || isToEnd()) {
      return;
    }
    var gateway = next.gatewayAs(connection.gateway());
    boolean renews = PlannedSwitch.renews(connection, next);
    if (gateway == null || (renews && connection.introduction().hasAuthenticated())) {
      giveUp(terms);
      return;
    }
    var wanted = new PlannedSwitch(next, gateway, renews, null);
    if (renews) {
      dial(wanted, terms);
    } else {
      await(wanted, terms);
    }
  }

  /** Whether it was told to end before. */
  private boolean isToEnd() {
    return host != null && plan == null && host.isUnderWay();
  }

  /** It will not be switched, but end: when its turn has come, if somebody knows of turns. */
  private void giveUp(Terms terms) {
    abandonSwitch();
    if (!connection.generation().connections().cannotStay(connection)) {
      mark(terms.by(Way.PAUSE_AND_CLOSE));
    }
  }

  /** Reaches the broker before the client has to wait for anything. */
  private void dial(PlannedSwitch wanted, Terms terms) {
    abandonSwitch();
    dialling = wanted;
    dialTerms = terms;
    wanted
        .next()
        .dial(connection.node(), connection.client().eventLoop())
        .addListener((Future<Channel> dialled) -> dialled(dialled, wanted));
  }

  private void dialled(Future<Channel> dialled, PlannedSwitch wanted) {
    var terms = dialTerms;
    if (!wanted.equals(dialling) || terms == null || connection.isEnding()) {
      BrokerSide.discard(dialled);
    } else if (!PlannedSwitch.renews(connection, wanted.next())) {
      BrokerSide.discard(dialled); // It has begun to share records, or has authenticated itself.
      await(wanted.keeping(), terms);
    } else if (connection.introduction().hasAuthenticated()) {
      BrokerSide.discard(dialled);
      giveUp(terms);
    } else if (dialled.isSuccess()) {
      await(wanted.with((SocketChannel) dialled.getNow()), terms);
    } else {
      unreached(wanted, terms, dialled.cause());
    }
  }

  /** Whose broker is reached as before, and cannot be just now, is served by who serves it. */
  private void unreached(PlannedSwitch wanted, Terms terms, Throwable cause) {
    boolean stays = wanted.next().reachesAs(connection.generation());
    LOG.atDebug()
        .addKeyValue("virtualCluster", connection.generation().name())
        .addKeyValue("client", connection.from())
        .setCause(cause)
        .log(
            "No broker of the new generation was reached; the connection {}",
            stays ? "keeps its own" : "is closed quietly");
    if (stays) {
      await(wanted.keeping(), terms);
    } else {
      giveUp(terms);
    }
  }

  /** From here on the moment is waited for. */
  private void await(PlannedSwitch wanted, Terms terms) {
    abandonSwitch();
    plan = wanted;
    goQuiet(terms.by(wanted.way()));
  }

  private void abandonSwitch() {
    dialling = null;
    if (plan != null) {
      plan.abandon();
      plan = null;
    }
  }

  /** What it has not done by now it will not do. */
  void cut() {
    long now = System.nanoTime();
    mark(new Terms(Way.PAUSE_AND_CLOSE, Bounds.MIN_PAUSE.toNanos(), now, now));
  }

  /** The connection ends. */
  void release() {
    abandonSwitch();
  }

  // ---- what the host has done ----------------------------------------------------------------

  /** Whether the switch that comes next puts another upstream connection behind the client. */
  boolean makesAnew() {
    return plan != null && plan.renews() && plan.isPossible();
  }

  /** Makes the switch, now that nothing is in flight; returns whether it was made. */
  boolean makeSwitch() {
    var made = plan;
    if (made == null || !made.isPossible()) {
      abandonSwitch();
      return false;
    }
    plan = null;
    connection.belongTo(made.next(), made.gateway(), made.fresh());
    return true;
  }

  /** It has gone quiet and goes on with another generation. */
  void switched(Generation former, QuietReport report) {
    former.connections().wentQuiet(report);
    former.connections().left(connection);
  }

  /** There is nothing more to host. */
  void isOpenAgain() {
    host = null;
  }

  /** It is over. */
  void closed(QuietReport report) {
    abandonSwitch();
    connection.generation().connections().wentQuiet(report);
    if (report.count(Outcome.FORCED) > 0) {
      connection.parting().cut();
    } else {
      connection.end(
          report.count(Outcome.CLIENT_LEFT) > 0
              ? DisconnectCause.CLIENT_CLOSED
              : DisconnectCause.DRAINED,
          null);
    }
  }

  // ---- what is told --------------------------------------------------------------------------

  /** Whether somebody has to be told what happens. */
  boolean isHosted() {
    return host != null;
  }

  /** Whether it goes quiet, and has not yet. */
  boolean isUnderWay() {
    return host != null && host.isUnderWay();
  }

  /** What becomes of the request that was just peeked. */
  QuietHost.Verdict admit(RequestPeek peek, int maxWaitMillis, boolean acknowledging) {
    short key = peek.apiKey();
    connection.introduction().asked(key);
    if (host == null) {
      return QuietHost.Verdict.FORWARD;
    }
    if (!peek.answered()) {
      return host.oneWayRead();
    }
    var trait = acknowledging ? RequestTrait.ACKNOWLEDGING : RequestTrait.PLAIN;
    long position = connection.inFlight().nextPosition();
    return host.requestRead(Requests.of(position, key, peek.apiVersion(), maxWaitMillis, trait));
  }

  /** What was read and admitted is in flight. */
  void takenIn() {
    if (host != null) {
      host.takenIn();
    }
  }

  /** A burst of reading has ended. */
  void bytesRead() {
    if (host != null) {
      host.bytesRead(connection.requests().isWhole());
    }
  }

  /** The header of a response has come; returns what {@link QuietHost#responseCame} does. */
  int responseCame(long position, short key, short version) {
    return host == null ? QuietHost.PASS : host.responseCame(position, key, version);
  }

  /** The last byte of a response is with the client's channel. */
  void answered(long position) {
    if (host != null) {
      host.answered(position);
    }
  }

  void written(long position) {
    if (host != null) {
      host.written(position);
    }
  }

  void oneWaysWritten(int count) {
    if (host != null) {
      host.oneWaysWritten(count);
    }
  }

  void clientEnded() {
    if (host != null) {
      host.clientEnded();
    }
  }

  void clientLost() {
    if (host != null) {
      host.clientLost();
    }
  }

  void upstreamEnded() {
    if (host != null) {
      host.upstreamEnded();
    }
  }
}
