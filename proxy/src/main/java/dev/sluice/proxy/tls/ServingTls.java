package dev.sluice.proxy.tls;

import dev.sluice.proxy.tls.TrustSpec.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * What those are spoken with who come: the clients of a gateway, or the callers of the management
 * API.
 *
 * @param context for Netty
 * @param protocols that may be agreed upon
 * @param shown the certificate that they are shown
 */
public record ServingTls(
    JdkSslContext context, List<String> protocols, ClientAuth clientAuth, ShownCertificate shown) {

  public ServingTls {
    protocols = List.copyOf(protocols);
  }

  /** For a server that is not Netty's. */
  public SSLContext forOthers() {
    return context.context();
  }

  /** That may be agreed upon, by their names in Java. */
  public List<String> cipherSuites() {
    return context.cipherSuites();
  }
}
