package dev.sluice.proxy;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Looks names up as the platform does (hosts file, name service switch, its cache), away from the
 * event loops: the platform's look-up blocks.
 */
final class Resolver {

  private Resolver() {}

  /**
   * All addresses of a host, in the platform's order; at least one.
   *
   * @param executor where the answer is given
   * @return fails with {@link UnknownHostException}
   */
  static Future<List<InetAddress>> resolve(String host, EventExecutor executor) {
    Promise<List<InetAddress>> promise = executor.newPromise();
    Thread.ofVirtual()
        .name("resolve-" + host)
        .start(
            () -> {
              try {
                promise.setSuccess(List.of(InetAddress.getAllByName(host)));
              } catch (UnknownHostException e) {
                promise.setFailure(e);
              }
            });
    return promise;
  }
}
