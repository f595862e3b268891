package dev.sluice.app.management;

import dev.sluice.proxy.tls.TlsMaterialException;

/** The keys of {@code management.tls} cannot be used. Its message says what to correct. */
public final class ManagementKeysException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ManagementKeysException(TlsMaterialException cause) {
    super("management: " + cause.sentence() + ".", cause);
  }
}
