package dev.sluice.proxy.tls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How TLS is spoken on one side: with the clients of a gateway, or with brokers.
 *
 * @param key what the proxy shows; a gateway has one
 * @param trust whom the proxy believes
 * @param protocols such as {@code TLSv1.3}
 * @param cipherSuites by their names in Java
 */
public record TlsSpec(
    Optional<KeySpec> key, TrustSpec trust, Choice protocols, Choice cipherSuites) {

  /** All files that it stands on, in the order of the configuration. */
  public List<NamedFile> files() {
    var files = new ArrayList<NamedFile>();
    key.ifPresent(
        shown -> {
          switch (shown) {
            case KeySpec.Pair(var certificates, var privateKey, _) -> {
              files.add(certificates);
              files.add(privateKey);
            }
            case KeySpec.Stored(var store, _) -> addOf(store, files);
          }
          shown.keyPassword().flatMap(Secret::inFile).ifPresent(files::add);
        });
    if (trust instanceof TrustSpec.Stored(var store, _)) {
      addOf(store, files);
    }
    return files;
  }

  private static void addOf(StoreSpec store, List<NamedFile> files) {
    files.add(store.file());
    store.password().flatMap(Secret::inFile).ifPresent(files::add);
  }

  /** The same, with what is in the files by now. Blocks. */
  public Map<Path, String> digests() {
    var digests = new TreeMap<Path, String>();
    files().forEach(file -> digests.put(file.path(), file.digest()));
    return digests;
  }

  /**
   * What is shown and believed, by content: two of these are equal exactly where a new handshake
   * comes to the same. Tells no secrets.
   */
  public String material() {
    return key + " " + (trust instanceof TrustSpec.Stored(var store, _) ? store : trust);
  }

  /** What is agreed upon in handshakes: all that is no content of files. */
  public String manners() {
    return protocols + " " + cipherSuites;
  }

  /** Whether clients have to show certificates. */
  public TrustSpec.ClientAuth clientAuth() {
    return trust instanceof TrustSpec.Stored(_, var clientAuth)
        ? clientAuth
        : TrustSpec.ClientAuth.NONE;
  }

  /** Whether what certificates say is checked, names of hosts included. */
  public boolean verifies() {
    return !(trust instanceof TrustSpec.Insecure);
  }
}
