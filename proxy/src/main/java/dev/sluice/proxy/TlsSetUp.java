package dev.sluice.proxy;

import dev.sluice.proxy.tls.ServingTls;
import dev.sluice.proxy.tls.TlsMaterial;
import dev.sluice.proxy.tls.TlsMaterialException;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/** Reads keys and certificates of a generation, on a thread of its own: that blocks. */
final class TlsSetUp {

  /** Short and stable, for alerts. */
  static final String CODE = "tls-unusable";

  private TlsSetUp() {}

  /**
   * Begins.
   *
   * @return on the control thread; fails with a {@link SetUpException}
   */
  static Future<Encryption> of(VirtualClusterSpec spec, EventExecutor control) {
    boolean plain =
        spec.upstreamTls().isEmpty()
            && spec.gateways().stream().allMatch(gateway -> gateway.tls().isEmpty());
    if (plain) {
      return control.newSucceededFuture(Encryption.NONE);
    }
    Promise<Encryption> made = control.newPromise();
    Thread.ofVirtual().name("tls-set-up").start(() -> make(spec, made));
    return made;
  }

  private static void make(VirtualClusterSpec spec, Promise<Encryption> made) {
    var where = "targetCluster";
    try {
      @Nullable SslContext brokers = null;
      if (spec.upstreamTls().isPresent()) {
        brokers = TlsMaterial.towardsBrokers(spec.upstreamTls().get());
      }
      var clients = new HashMap<String, ServingTls>();
      for (var gateway : spec.gateways()) {
        where = "gateway " + gateway.name();
        if (gateway.tls().isPresent()) {
          clients.put(gateway.name(), TlsMaterial.towardsClients(gateway.tls().get()));
        }
      }
      made.setSuccess(new Encryption(clients, brokers));
    } catch (TlsMaterialException e) {
      made.setFailure(new SetUpException(CODE, where + ": " + e.sentence()));
    } catch (RuntimeException e) {
      made.setFailure(e);
    }
  }
}
