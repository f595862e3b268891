package dev.sluice.proxy;

import java.net.ConnectException;

/** No broker was reached, and with at least one of them TLS could not be agreed upon. */
final class DistrustException extends ConnectException {

  private static final long serialVersionUID = 1L;

  DistrustException(String message) {
    super(message);
  }
}
