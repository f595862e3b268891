package dev.sluice.proxy;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks names up as the platform does (hosts file, name service switch, its cache), away from the
 * event loops: the platform's look-up blocks.
 */
final class Resolver {

  private static final Logger LOG = LoggerFactory.getLogger(Resolver.class);

  private Resolver() {}

  /**
   * All addresses of a host, in the platform's order; at least one.
   *
   * @param executor where the answer is given; once it has shut down nobody waits for one
   * @return fails with {@link UnknownHostException}
   */
  static Future<List<InetAddress>> resolve(String host, EventExecutor executor) {
    Promise<List<InetAddress>> promise = executor.newPromise();
    Thread.ofVirtual().name("resolve-" + host).start(() -> lookUp(host, executor, promise));
    return promise;
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
      return () -> promise.setSuccess(addresses);
    } catch (UnknownHostException | RuntimeException e) {
      return () -> promise.setFailure(e);
    }
  }
}
