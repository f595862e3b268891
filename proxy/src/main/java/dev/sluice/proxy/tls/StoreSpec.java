package dev.sluice.proxy.tls;

import java.util.Optional;

/**
 * A file with keys or certificates.
 *
 * @param password that opens it; PEM files have none
 */
public record StoreSpec(NamedFile file, Type type, Optional<Secret> password) {

  /** How keys and certificates are written in it. */
  public enum Type {
    PEM,
    PKCS12,
    JKS
  }
}
