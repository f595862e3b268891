package dev.sluice.proxy.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A PKCS12 or JKS file that its password has opened.
 *
 * @param key of the configuration, as far as {@code storeFile} goes
 */
record OpenedStore(String key, StoreSpec spec, KeyStore store) {

  /** Blocks: reads the file. */
  static OpenedStore open(String key, StoreSpec spec) throws TlsMaterialException {
    var path = spec.file().path();
    var password = password(spec.password(), key + ".storePassword");
    try (var in = Files.newInputStream(path)) {
      var store = KeyStore.getInstance(spec.type().name());
      store.load(in, password.orElse(null));
      return new OpenedStore(key, spec, store);
    } catch (IOException e) {
      throw e.getCause() instanceof UnrecoverableKeyException
          ? doesNotOpen(key, spec)
          : notOfItsType(key, spec);
    } catch (GeneralSecurityException _) {
      throw notOfItsType(key, spec);
    }
  }

  static Optional<char[]> password(Optional<Secret> secret, String key)
      throws TlsMaterialException {
    return secret.isPresent() ? Optional.of(secret.get().characters(key)) : Optional.empty();
  }

  private static TlsMaterialException doesNotOpen(String key, StoreSpec spec) {
    return TlsMaterialException.of(
        key + ".storePassword",
        "the password of " + spec.file().path(),
        spec.password().isPresent() ? "that it does not open it" : "none",
        "correct it");
  }

  private static TlsMaterialException notOfItsType(String key, StoreSpec spec) {
    var path = spec.file().path();
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      return TlsMaterialException.unreadable(key + ".storeFile", path);
    }
    return TlsMaterialException.of(
        key + ".storeFile",
        "a key store of type " + spec.type(),
        "something else in " + path,
        "correct "
            + key
            + ".storeType, which is one of "
            + Arrays.toString(StoreSpec.Type.values()));
  }

  /** The certificates that it trusts; at least one. */
  List<X509Certificate> trusted() throws TlsMaterialException {
    var trusted = new ArrayList<X509Certificate>();
    try {
      for (var alias : Collections.list(store.aliases())) {
        if (store.isCertificateEntry(alias)
            && store.getCertificate(alias) instanceof X509Certificate certificate) {
          trusted.add(certificate);
        }
      }
    } catch (KeyStoreException e) {
      throw new IllegalStateException("the store was loaded", e);
    }
    if (trusted.isEmpty()) {
      throw TlsMaterialException.of(
          key + ".storeFile",
          "a store with trusted certificates",
          "none in " + spec.file().path(),
          spec.password().isEmpty()
              ? "add storePassword, without which they cannot be read"
              : "import them with keytool, which marks them as trusted");
    }
    return trusted;
  }

  /** Its first private key, and the certificates that go with it. */
  KeyPairing pairing(Optional<Secret> keyPassword) throws TlsMaterialException {
    var password =
        password(
            keyPassword.or(spec::password),
            keyPassword.isPresent() ? key + ".keyPassword" : key + ".storePassword");
    try {
      for (var alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)
            && key(alias, password.orElse(new char[0])) instanceof PrivateKey found) {
          var chain =
              Arrays.stream(store.getCertificateChain(alias))
                  .map(X509Certificate.class::cast)
                  .toList();
          return new KeyPairing(found, chain);
        }
      }
    } catch (KeyStoreException e) {
      throw new IllegalStateException("the store was loaded", e);
    }
    throw TlsMaterialException.of(
        key + ".storeFile",
        "a store with a private key",
        "none in " + spec.file().path(),
        "put it in, or name another store");
  }

  private Key key(String alias, char[] password) throws TlsMaterialException {
    try {
      return store.getKey(alias, password);
    } catch (GeneralSecurityException _) {
      throw TlsMaterialException.of(
          key + ".keyPassword",
          "the password of the key '" + alias + "' in " + spec.file().path(),
          "that it does not open it",
          "correct it");
    }
  }
}
