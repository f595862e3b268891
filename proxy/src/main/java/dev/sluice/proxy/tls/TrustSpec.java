package dev.sluice.proxy.tls;

/** Whose certificates are believed. */
public sealed interface TrustSpec {

  /** Those that the platform trusts; of clients: none is asked for one. */
  record Platform() implements TrustSpec {}

  /** All, whatever name they are for. */
  record Insecure() implements TrustSpec {}

  /**
   * Those of a store, and those that they have signed.
   *
   * @param clientAuth whether clients are asked for a certificate; of no meaning towards brokers
   */
  record Stored(StoreSpec store, ClientAuth clientAuth) implements TrustSpec {}

  /** Whether clients have to show a certificate. */
  enum ClientAuth {
    NONE,
    REQUESTED,
    REQUIRED
  }
}
