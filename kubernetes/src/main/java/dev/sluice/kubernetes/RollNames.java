package dev.sluice.kubernetes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of what we keep in the cluster. */
final class RollNames {

  private static final int DIGEST_BYTES = 8;

  private RollNames() {}

  /** Of the lease and of the journal: cluster ids of Kafka are no names in Kubernetes. */
  static String of(String clusterId) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(clusterId.getBytes(StandardCharsets.UTF_8));
      return "sluice-roll-" + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
