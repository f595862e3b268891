package dev.sluice.app.command;

import dev.sluice.proxy.tls.Choice;
import dev.sluice.proxy.tls.KeySpec;
import dev.sluice.proxy.tls.NamedFile;
import dev.sluice.proxy.tls.StoreSpec;
import dev.sluice.proxy.tls.TlsMaterial;
import dev.sluice.proxy.tls.TlsMaterialException;
import dev.sluice.proxy.tls.TlsSpec;
import dev.sluice.proxy.tls.TrustSpec;
import dev.sluice.proxy.tls.TrustSpec.ClientAuth;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** How the commands speak TLS with a management API, and what they say when it cannot be. */
final class CallerTls {

  private CallerTls() {}

  /**
   * What is spoken; empty: what this machine's Java speaks by itself.
   *
   * @param authorities a PEM file of those that are believed
   * @param key a PEM file with what is shown to who asks for it
   */
  static Optional<SSLContext> of(Optional<Path> authorities, Optional<Path> key) {
    if (authorities.isEmpty() && key.isEmpty()) {
      return Optional.empty();
    }
    var trust =
        authorities
            .map(CallerTls::pem)
            .<TrustSpec>map(store -> new TrustSpec.Stored(store, ClientAuth.NONE))
            .orElseGet(TrustSpec.Platform::new);
    var shown =
        key.map(CallerTls::pem).<KeySpec>map(store -> new KeySpec.Stored(store, Optional.empty()));
    try {
      return Optional.of(
          TlsMaterial.ofCaller(new TlsSpec(shown, trust, Choice.USUAL, Choice.USUAL)));
    } catch (TlsMaterialException e) {
      throw new CommandFailedException(inOptions(e.sentence()), e);
    }
  }

  private static StoreSpec pem(Path file) {
    return new StoreSpec(NamedFile.now(file), StoreSpec.Type.PEM, Optional.empty());
  }

  /** The keys of a configuration are options here. */
  private static String inOptions(String sentence) {
    var said =
        sentence
            .replace("tls.trust.storeFile", "--ca")
            .replace("tls.key.storeFile", "--client-key")
            .replace("tls.key", "--client-key");
    return Character.toUpperCase(said.charAt(0)) + said.substring(1) + ".";
  }

  /**
   * Why no TLS came about, and what to do; empty where that was not the matter.
   *
   * @param told whether it was told whom to believe
   */
  static Optional<String> inWords(Throwable failure, URI called, boolean told) {
    if (find(failure, SSLException.class) == null
        && find(failure, CertificateException.class) == null) {
      return Optional.empty();
    }
    var found = found(failure, called, told);
    return Optional.of(
        "Expected to speak TLS with the management API at " + called + ", found " + found + ".");
  }

  private static String found(Throwable failure, URI called, boolean told) {
    var said = String.valueOf(failure.getMessage());
    if (find(failure, CertificateExpiredException.class) != null) {
      return "that its certificate has expired; have management.tls show a newer one";
    }
    if (find(failure, CertificateNotYetValidException.class) != null) {
      return "that its certificate is not good yet; compare the clocks of both machines";
    }
    if (find(failure, CertPathBuilderException.class) != null) {
      return told
          ? "a certificate that none in --ca has signed; name the authority that has"
          : "a certificate of an authority that this machine does not know; name that with --ca"
              + " FILE";
    }
    if (said.contains("certificate_required") || said.contains("bad_certificate")) {
      return "that it asks for a certificate that it believes; show one with --client-key FILE";
    }
    var other = find(failure, CertificateException.class);
    if (other != null) {
      return "a certificate that is not for '"
          + called.getHost()
          + "' ("
          + other.getMessage()
          + "); call it by a name that its certificate is for, with --management";
    }
    return said.contains("SSL message")
        ? "one that speaks no TLS; call http:// if you mean to"
        : "'" + said + "'; see the log of the proxy, and its management.tls";
  }

  private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> kind) {
    for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
      if (kind.isInstance(each)) {
        return kind.cast(each);
      }
    }
    return null;
  }
}
