package dev.sluice.app.configuration;

import dev.sluice.lifecycle.Readiness;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The management API.
 *
 * @param bindAddress a local address
 * @param port 0 takes a free one
 * @param tokenFile its first line is the bearer token of calls that change something; empty: such
 *     calls are accepted from this machine only
 * @param readiness when the proxy counts as ready
 * @param prometheus whether {@code GET /metrics} answers
 */
public record ManagementSpec(
    String bindAddress,
    int port,
    Optional<Path> tokenFile,
    Readiness.Policy readiness,
    boolean prometheus) {

  public static final String DEFAULT_BIND_ADDRESS = "127.0.0.1";
  public static final int DEFAULT_PORT = 9190;

  /** What holds where the configuration says nothing. */
  public static final ManagementSpec DEFAULT =
      new ManagementSpec(
          DEFAULT_BIND_ADDRESS, DEFAULT_PORT, Optional.empty(), Readiness.Policy.ALL, true);
}
