package dev.sluice.proxy;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks names up as the platform does (hosts file, name service switch, its cache), away from the
 * event loops: the platform's look-up blocks.
 */
final class Resolver {

  private static final Logger LOG = LoggerFactory.getLogger(Resolver.class);

  /** The longest that a look-up is waited for: the platform itself may take minutes. */
  static final Duration LOOK_UP_LIMIT = Duration.ofSeconds(10);

  private Resolver() {}

  /**
   * All addresses of a host, in the platform's order; at least one.
   *
   * @param executor where the answer is given; once it has shut down nobody waits for one
   * @return fails with {@link UnknownHostException}, also where there is no answer in time
   */
  static Future<List<InetAddress>> resolve(String host, EventExecutor executor) {
    Promise<List<InetAddress>> promise = executor.newPromise();
    Thread.ofVirtual().name("resolve-" + host).start(() -> lookUp(host, executor, promise));
    var timer =
        executor.schedule(
            () -> promise.tryFailure(tooSlow(host)),
            LOOK_UP_LIMIT.toMillis(),
            TimeUnit.MILLISECONDS);
    promise.addListener(_ -> timer.cancel(false));
    return promise;
  }

  private static UnknownHostException tooSlow(String host) {
    return new UnknownHostException(
        host + ": expected an answer within " + LOOK_UP_LIMIT.toSeconds() + " s, found none");
  }

  private static void lookUp(
      String host, EventExecutor executor, Promise<List<InetAddress>> promise) {
    try {
      var answer = answer(host, promise);
      executor.execute(answer);
    } catch (RejectedExecutionException e) {
      LOG.atDebug().addKeyValue("host", host).log("A look-up outlasted who asked for it");
    }
  }

  private static Runnable answer(String host, Promise<List<InetAddress>> promise) {
    try {
      var addresses = List.of(InetAddress.getAllByName(host));
      return () -> promise.trySuccess(addresses);
    } catch (UnknownHostException | RuntimeException e) {
      return () -> promise.tryFailure(e);
    }
  }
}
