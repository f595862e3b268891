package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A key and its certificates, and the ways in which files hold them. Every file is replaced by a
 * move: whoever reads it finds the former or the new one.
 *
 * @param chain the own certificate first
 */
public record Issued(PrivateKey key, List<Certificate> chain) {

  private static final String ENCRYPTION = "PBEWithHmacSHA256AndAES_256";

  static Issued from(Path store, String alias) {
    try (var in = Files.newInputStream(store)) {
      KeyStore opened = KeyStore.getInstance("PKCS12");
      opened.load(in, Authority.PASSWORD.toCharArray());
      PrivateKey key = (PrivateKey) opened.getKey(alias, Authority.PASSWORD.toCharArray());
      return new Issued(key, Arrays.asList(opened.getCertificateChain(alias)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Expected what keytool wrote to be read", e);
    }
  }

  /** The certificates, in PEM. */
  public Path certificates(Path file) {
    StringBuilder text = new StringBuilder();
    try {
      for (Certificate certificate : chain) {
        text.append(pem("CERTIFICATE", certificate.getEncoded()));
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return write(file, text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  /** The private key, in PEM, not encrypted. */
  public Path privateKey(Path file) {
    return write(file, pem("PRIVATE KEY", key.getEncoded()).getBytes(StandardCharsets.US_ASCII));
  }

  /** The private key, in PEM, encrypted. */
  public Path privateKey(Path file, String password) {
    try {
      Cipher cipher = Cipher.getInstance(ENCRYPTION);
      var secret =
          SecretKeyFactory.getInstance(ENCRYPTION)
              .generateSecret(new PBEKeySpec(password.toCharArray()));
      cipher.init(Cipher.ENCRYPT_MODE, secret);
      // Only under its general name do the parameters say which algorithms they stand for.
      var parameters = AlgorithmParameters.getInstance("PBES2");
      parameters.init(cipher.getParameters().getEncoded());
      byte[] encrypted =
          new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(key.getEncoded())).getEncoded();
      return write(
          file, pem("ENCRYPTED PRIVATE KEY", encrypted).getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Key and certificates in a store.
   *
   * @param type PKCS12 or JKS
   */
  public Path store(Path file, String type, String password) {
    return store(
        file,
        type,
        password,
        store ->
            store.setKeyEntry(
                "key", key, password.toCharArray(), chain.toArray(Certificate[]::new)));
  }

  /** The own certificate in a store, as one that is trusted. */
  public Path trustStore(Path file, String type, String password) {
    return store(
        file, type, password, store -> store.setCertificateEntry("trusted", chain.getFirst()));
  }

  private interface Filling {
    void fill(KeyStore store) throws GeneralSecurityException;
  }

  private static Path store(Path file, String type, String password, Filling filling) {
    try {
      KeyStore store = KeyStore.getInstance(type);
      store.load(null, null);
      filling.fill(store);
      Path next = next(file);
      try (var out = Files.newOutputStream(next)) {
        store.store(out, password.toCharArray());
      }
      return moved(next, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String label, byte[] content) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content), label);
  }

  private static Path write(Path file, byte[] content) {
    try {
      Path next = next(file);
      Files.write(next, content);
      return moved(next, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path next(Path file) {
    return file.resolveSibling(file.getFileName() + ".next");
  }

  private static Path moved(Path next, Path file) throws IOException {
    return Files.move(
        next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
