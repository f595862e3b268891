package dev.sluice.proxy.tls;

import java.util.Optional;

/** A private key and the certificates that go with it. */
public sealed interface KeySpec {

  /** What opens the key itself; absent: it is not encrypted, or as its store. */
  Optional<Secret> keyPassword();

  /**
   * PEM files.
   *
   * @param certificates the own one first, then those between it and the root
   * @param privateKey PKCS#8, also encrypted, or PKCS#1
   */
  record Pair(NamedFile certificates, NamedFile privateKey, Optional<Secret> keyPassword)
      implements KeySpec {}

  /** A key store. */
  record Stored(StoreSpec store, Optional<Secret> keyPassword) implements KeySpec {}
}
