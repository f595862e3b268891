package dev.sluice.proxy.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A private key and its certificates.
 *
 * @param chain the own certificate first; at least that
 */
record KeyPairing(PrivateKey key, List<X509Certificate> chain) {

  private static final byte[] ANYTHING = {1, 2, 3};

  /** What the one signs the other verifies. Of keys that cannot be tried: true. */
  boolean matches() {
    var algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA", "Ed25519" -> "Ed25519";
          default -> "";
        };
    if (algorithm.isEmpty()) {
      return true;
    }
    try {
      var signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(ANYTHING);
      var verifying = Signature.getInstance(algorithm);
      verifying.initVerify(chain.getFirst().getPublicKey());
      verifying.update(ANYTHING);
      return verifying.verify(signing.sign());
    } catch (GeneralSecurityException _) {
      return false;
    }
  }
}
