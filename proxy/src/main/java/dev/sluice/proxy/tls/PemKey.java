package dev.sluice.proxy.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** A private key from a PEM block: PKCS#8 (RFC 5208), encrypted or not, and PKCS#1 (RFC 8017). */
final class PemKey {

  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

  /** Version 0 and the algorithm {@code rsaEncryption}, as PKCS#8 has them before the key. */
  private static final byte[] RSA_PREFIX =
      HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 0x04;
  private static final String TO_PKCS8 = "openssl pkcs8 -topk8 -in OLD -out NEW";

  private static final String TO_AES = "openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW";

  private final PemFile file;
  private final @Nullable Secret password;

  /**
   * @param password for a key that is encrypted
   */
  PemKey(PemFile file, Optional<Secret> password) {
    this.file = file;
    this.password = password.orElse(null);
  }

  PrivateKey read() throws TlsMaterialException {
    var block = file.privateKey().orElseThrow(() -> wrong("no block 'BEGIN PRIVATE KEY'"));
    if (block.isEncrypted()) {
      throw wrong("one that is encrypted in the old way of OpenSSL");
    }
    return switch (block.label()) {
      case "PRIVATE KEY" -> plain(block.content());
      case "ENCRYPTED PRIVATE KEY" -> decrypted(block.content());
      case "RSA PRIVATE KEY" -> plain(pkcs8(block.content()));
      default -> throw wrong("a block '" + block.label() + "'");
    };
  }

  private PrivateKey plain(byte[] pkcs8) throws TlsMaterialException {
    return key(new PKCS8EncodedKeySpec(pkcs8));
  }

  private PrivateKey key(PKCS8EncodedKeySpec spec) throws TlsMaterialException {
    for (var algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException _) {
        // Another kind of key.
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has " + algorithm, e);
      }
    }
    throw wrong("a key of none of " + ALGORITHMS);
  }

  private PrivateKey decrypted(byte[] content) throws TlsMaterialException {
    if (password == null) {
      throw new TlsMaterialException(
          "expected tls.key.keyPassword beside a private key that is encrypted, found none; add it");
    }
    var encrypted = encrypted(content);
    var characters = new PBEKeySpec(password.characters("tls.key.keyPassword"));
    try {
      // Of PBES2 only the parameters tell which algorithms it stands for.
      var algorithm =
          encrypted.getAlgName().equals("PBES2")
              ? encrypted.getAlgParameters().toString()
              : encrypted.getAlgName();
      var secret = SecretKeyFactory.getInstance(algorithm).generateSecret(characters);
      var cipher = Cipher.getInstance(algorithm);
      cipher.init(Cipher.DECRYPT_MODE, secret, encrypted.getAlgParameters());
      return key(encrypted.getKeySpec(cipher));
    } catch (GeneralSecurityException _) {
      throw TlsMaterialException.of(
          "tls.key.keyPassword",
          "the password of " + file.path(),
          "that it does not open it",
          "correct it");
    } finally {
      characters.clearPassword();
    }
  }

  /** Triple DES, which {@code openssl req} takes unasked, no JDK knows within PBES2. */
  private EncryptedPrivateKeyInfo encrypted(byte[] content) throws TlsMaterialException {
    try {
      return new EncryptedPrivateKeyInfo(content);
    } catch (IOException _) {
      throw TlsMaterialException.of(
          file.key(),
          "a private key that is encrypted by AES",
          "another encryption in " + file.path(),
          "convert it with '" + TO_AES + "'");
    }
  }

  private TlsMaterialException wrong(String found) {
    return TlsMaterialException.of(
        file.key(),
        "a PEM file with a private key in PKCS#8",
        found + " in " + file.path(),
        "convert it with '" + TO_PKCS8 + "'");
  }

  // ---- PKCS#1 in PKCS#8 ----------------------------------------------------------------------

  private static byte[] pkcs8(byte[] pkcs1) {
    var inner = new ByteArrayOutputStream();
    inner.writeBytes(RSA_PREFIX);
    inner.writeBytes(tagged(OCTETS, pkcs1));
    return tagged(SEQUENCE, inner.toByteArray());
  }

  /** With its tag and length before it, in DER. */
  private static byte[] tagged(int tag, byte[] content) {
    var out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.length;
    if (length < 0x80) {
      out.write(length);
    } else {
      int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + Byte.SIZE - 1) / Byte.SIZE;
      out.write(0x80 | bytes);
      for (int at = bytes - 1; at >= 0; at--) {
        out.write(length >>> (at * Byte.SIZE));
      }
    }
    out.writeBytes(content);
    return out.toByteArray();
  }
}
