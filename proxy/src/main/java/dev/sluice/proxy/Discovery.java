package dev.sluice.proxy;

import dev.sluice.protocol.Addresses;
import dev.sluice.protocol.BrokerQuestion;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the Kafka cluster where its brokers are, for clients that come back to a node's port before
 * any metadata has passed by. A cluster that tells nothing before authentication costs one short
 * connection now and then, and its clients are led to a bootstrap server instead.
 */
final class Discovery {

  /** After an attempt, successful or not, the next one waits for so long. */
  private static final long PAUSE_SECONDS = 5;

  /** The longest that an answer is waited for. */
  private static final long ANSWER_SECONDS = 5;

  /** Bound on the answer: a list of brokers, in bytes. */
  private static final int MAX_ANSWER_BYTES = 4 * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

  private final String virtualCluster;
  private final Engine engine;
  private final Brokers brokers;
  private final Dialler dialler;

  private volatile @Nullable String distrust;
  private volatile @Nullable String clusterId;

  private @Nullable Promise<Void> underWay;
  private long endedAt;
  private boolean everAsked;

  Discovery(String virtualCluster, Engine engine, Brokers brokers, Dialler dialler) {
    this.virtualCluster = virtualCluster;
    this.engine = engine;
    this.brokers = brokers;
    this.dialler = dialler;
  }

  /**
   * Asks, unless that is under way or was done just now. Safe from every thread.
   *
   * @return succeeds when there is nothing more to wait for, whatever was learnt
   */
  synchronized Future<Void> refresh() {
    var running = underWay;
    if (running != null) {
      return running;
    }
    if (everAsked && System.nanoTime() - endedAt < TimeUnit.SECONDS.toNanos(PAUSE_SECONDS)) {
      return engine.control().newSucceededFuture(null);
    }
    everAsked = true;
    Promise<Void> promise = engine.control().newPromise();
    underWay = promise;
    promise.addListener(_ -> ended());
    var loop = engine.loops().next();
    dialler
        .to(brokers.bootstrapServers(), loop)
        .addListener((Future<Channel> dialled) -> ask(dialled, promise));
    return promise;
  }

  /** The id that the cluster has told last; empty before. Safe from every thread. */
  Optional<String> clusterId() {
    return Optional.ofNullable(clusterId);
  }

  /** Why TLS could not be agreed upon last; empty if it could. Safe from every thread. */
  Optional<String> distrust() {
    return Optional.ofNullable(distrust);
  }

  private synchronized void ended() {
    underWay = null;
    endedAt = System.nanoTime();
  }

  private void ask(Future<Channel> dialled, Promise<Void> promise) {
    distrust = dialled.cause() instanceof DistrustException failure ? failure.getMessage() : null;
    if (!dialled.isSuccess()) {
      LOG.atWarn()
          .addKeyValue("virtualCluster", virtualCluster)
          .addKeyValue("cause", dialled.cause().getMessage())
          .log("No bootstrap server of the Kafka cluster can be reached now; clients will retry");
      promise.trySuccess(null);
      return;
    }
    var channel = dialled.getNow();
    channel
        .pipeline()
        .addLast(
            new LengthFieldBasedFrameDecoder(
                MAX_ANSWER_BYTES, 0, FrameCheck.LENGTH_BYTES, 0, FrameCheck.LENGTH_BYTES))
        .addLast(new Answer(promise));
    channel.closeFuture().addListener(_ -> promise.trySuccess(null));
    channel.config().setAutoRead(true);
    channel.writeAndFlush(BrokerQuestion.frame(channel.alloc()));
    channel.eventLoop().schedule(() -> channel.close(), ANSWER_SECONDS, TimeUnit.SECONDS);
  }

  private final class Answer extends ChannelInboundHandlerAdapter {
    private final Promise<Void> promise;

    Answer(Promise<Void> promise) {
      this.promise = promise;
    }

    @Override
    public void channelRead(ChannelHandlerContext channel, Object message)
        throws MalformedFrameException {
      var frame = (ByteBuf) message;
      try {
        clusterId = BrokerQuestion.clusterId(frame).orElse(clusterId);
        var addresses =
            new Addresses(_ -> null, (node, host, port, _) -> brokers.seen(node, host, port));
        addresses
            .rewrite(BrokerQuestion.API_KEY, BrokerQuestion.VERSION, frame, channel.alloc())
            .release();
        promise.trySuccess(null);
      } finally {
        frame.release();
        channel.close();
      }
    }

    /** It will not answer any more. */
    @Override
    public void userEventTriggered(ChannelHandlerContext channel, Object event) {
      if (Handshakes.isEnd(event)) {
        channel.close();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext channel, Throwable failure) {
      if (Handshakes.cause(failure) instanceof SSLException refusal) {
        distrust =
            "the broker refuses: " + refusal.getMessage(); // Of our own certificate, in TLS 1.3.
      }
      LOG.atDebug()
          .addKeyValue("virtualCluster", virtualCluster)
          .setCause(failure)
          .log("Discovery failed");
      channel.close();
    }
  }
}
