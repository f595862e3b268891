package dev.sluice.app.configuration;

import dev.sluice.proxy.tls.Choice;
import dev.sluice.proxy.tls.KeySpec;
import dev.sluice.proxy.tls.NamedFile;
import dev.sluice.proxy.tls.Secret;
import dev.sluice.proxy.tls.StoreSpec;
import dev.sluice.proxy.tls.TlsSpec;
import dev.sluice.proxy.tls.TrustSpec;
import dev.sluice.proxy.tls.TrustSpec.ClientAuth;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * From {@code tls}, of a gateway, a Kafka cluster or the management API, to its record. A file that
 * cannot be read is a warning only: it makes the one virtual cluster fail that names it, and no
 * other.
 */
final class TlsBinding {

  private static final List<String> PEM_ENDINGS = List.of(".pem", ".crt");

  private final Path directory;
  private final String consequence;

  /** Of virtual clusters; paths are relative to the directory. */
  TlsBinding(Path directory) {
    this(directory, "the virtual cluster cannot be set up");
  }

  /**
   * @param directory to which paths are relative
   * @param consequence of a file that cannot be read
   */
  TlsBinding(Path directory, String consequence) {
    this.directory = directory;
    this.consequence = consequence;
  }

  /** Empty where it is not there, or something is wrong with it, which has been told. */
  Optional<TlsSpec> bind(Entry owner) {
    if (!owner.has("tls")) {
      return Optional.empty();
    }
    var entry = owner.entry("tls");
    return Optional.of(
        new TlsSpec(
            key(entry.entry("key")),
            trust(entry),
            choice(entry.entry("protocols")),
            choice(entry.entry("cipherSuites"))));
  }

  private Optional<KeySpec> key(Entry key) {
    if (key.has("certificateFile") || key.has("privateKeyFile")) {
      if (key.has("certificateFile") != key.has("privateKeyFile")) {
        key.error("expected certificateFile and privateKeyFile together, found one of them");
      }
      var certificates = file(key, "certificateFile");
      var privateKey = file(key, "privateKeyFile");
      return certificates.isPresent() && privateKey.isPresent()
          ? Optional.of(
              new KeySpec.Pair(
                  certificates.get(), privateKey.get(), secret(key.entry("keyPassword"))))
          : Optional.empty();
    }
    return store(key).map(store -> new KeySpec.Stored(store, secret(key.entry("keyPassword"))));
  }

  private TrustSpec trust(Entry tls) {
    var trust = tls.entry("trust");
    if (trust.flag("insecure").orElse(false)) {
      trust.warning(
          "insecure",
          "expected trust in some certificates, found that all are believed, whoever shows them");
      return new TrustSpec.Insecure();
    }
    return store(trust)
        .<TrustSpec>map(store -> new TrustSpec.Stored(store, clientAuth(trust)))
        .orElseGet(TrustSpec.Platform::new);
  }

  private static ClientAuth clientAuth(Entry trust) {
    return trust
        .entry("trustOptions")
        .text("clientAuth")
        .map(ClientAuth::valueOf)
        .orElse(ClientAuth.REQUIRED);
  }

  private Optional<StoreSpec> store(Entry entry) {
    return file(entry, "storeFile")
        .map(
            file ->
                new StoreSpec(
                    file, type(entry, file.path()), secret(entry.entry("storePassword"))));
  }

  private static StoreSpec.Type type(Entry entry, Path file) {
    var name = file.toString().toLowerCase(Locale.ROOT);
    return entry
        .text("storeType")
        .map(StoreSpec.Type::valueOf)
        .orElse(
            PEM_ENDINGS.stream().anyMatch(name::endsWith)
                ? StoreSpec.Type.PEM
                : StoreSpec.Type.PKCS12);
  }

  private Optional<Secret> secret(Entry entry) {
    return file(entry, "passwordFile")
        .<Secret>map(Secret.InFile::new)
        .or(() -> entry.text("password").map(Secret.Given::new));
  }

  private Optional<NamedFile> file(Entry entry, String key) {
    var file = entry.path(key, directory).map(NamedFile::now);
    file.filter(found -> !found.isReadable())
        .ifPresent(
            found ->
                entry.warning(
                    key,
                    "expected a file that can be read, found none at "
                        + found.path()
                        + "; without it "
                        + consequence));
    return file;
  }

  private static Choice choice(Entry entry) {
    return new Choice(
        entry.texts("allow").orElse(List.of()), entry.texts("deny").orElse(List.of()));
  }
}
