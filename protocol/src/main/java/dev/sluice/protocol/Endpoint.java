package dev.sluice.protocol;

import java.util.Objects;

/**
 * Where something listens.
 *
 * @param host a host name or an address; an IPv6 address without brackets
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) {

  public Endpoint {
    Objects.requireNonNull(host, "host");
    if (host.isBlank() || port < 1 || port > 65_535) {
      throw new IllegalArgumentException(
          "expected HOST:PORT with a port of 1 to 65535, found '" + host + ":" + port + "'");
    }
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
