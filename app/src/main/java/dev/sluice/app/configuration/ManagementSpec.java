package dev.sluice.app.configuration;

import dev.sluice.lifecycle.Readiness;
import dev.sluice.proxy.tls.TlsSpec;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The management API.
 *
 * @param bindAddress a local address
 * @param port 0 takes a free one
 * @param tls how callers are spoken with; empty: in plain text
 * @param tokenFile its first line is the bearer token of calls that change something; empty: such
 *     calls are accepted from this machine only
 * @param readiness when the proxy counts as ready
 * @param prometheus whether {@code GET /metrics} answers
 */
public record ManagementSpec(
    String bindAddress,
    int port,
    Optional<TlsSpec> tls,
    Optional<Path> tokenFile,
    Readiness.Policy readiness,
    boolean prometheus) {

  public static final String DEFAULT_BIND_ADDRESS = "127.0.0.1";
  public static final int DEFAULT_PORT = 9190;

  /** What holds where the configuration says nothing. */
  public static final ManagementSpec DEFAULT =
      new ManagementSpec(
          DEFAULT_BIND_ADDRESS,
          DEFAULT_PORT,
          Optional.empty(),
          Optional.empty(),
          Readiness.Policy.ALL,
          true);

  /** That URLs of it begin with. */
  public String scheme() {
    return tls.isPresent() ? "https" : "http";
  }

  /**
   * Whether others than this machine may listen to what is said. Literal addresses only: it is
   * judged without asking a name server.
   */
  public boolean isOverheard() {
    return tls.isEmpty() && !isLoopback();
  }

  /** Whether it is reached from this machine only. */
  boolean isLoopback() {
    if (bindAddress.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(bindAddress).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
