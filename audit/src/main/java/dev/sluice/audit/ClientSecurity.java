package dev.sluice.audit;

import java.nio.file.Path;

/**
 * How clients in other languages prove who they are, and whom they believe: TLS with a certificate
 * of their own, and SASL inside of it.
 *
 * @param authorities PEM: whose certificates they believe
 * @param certificate PEM: what they show
 * @param key PEM: the private key of that, not encrypted
 * @param mechanism of SASL, such as {@code SCRAM-SHA-256}
 */
public record ClientSecurity(
    Path authorities, Path certificate, Path key, String mechanism, String user, String password) {

  /** Without the password. */
  @Override
  public String toString() {
    return "ClientSecurity[" + authorities + ", " + certificate + ", " + mechanism + "]";
  }
}
