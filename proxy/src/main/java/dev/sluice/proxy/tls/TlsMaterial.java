package dev.sluice.proxy.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * Reads what a {@link TlsSpec} names and makes of it what speaks TLS. Blocks: not for event loops.
 */
public final class TlsMaterial {

  private static final String KEY = "tls.key";
  private static final String TRUST = "tls.trust";
  private static final List<String> USUAL_PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  private final TlsSpec spec;
  private final SSLParameters supported;

  private TlsMaterial(TlsSpec spec) {
    this.spec = spec;
    try {
      this.supported = SSLContext.getDefault().getSupportedSSLParameters();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected this JDK to speak TLS", e);
    }
  }

  /**
   * What is spoken with who comes.
   *
   * @param spec has a key
   */
  public static ServingTls towardsClients(TlsSpec spec) throws TlsMaterialException {
    return new TlsMaterial(spec).server();
  }

  /** What is spoken with brokers. */
  public static SslContext towardsBrokers(TlsSpec spec) throws TlsMaterialException {
    return new TlsMaterial(spec).client();
  }

  /** What a client that is not Netty's speaks. That names of hosts are checked is up to it. */
  public static SSLContext ofCaller(TlsSpec spec) throws TlsMaterialException {
    return new TlsMaterial(spec).client().context();
  }

  /** Opens all that is named, as {@link #towardsClients} does, and keeps nothing. */
  public static void checkTowardsClients(TlsSpec spec) throws TlsMaterialException {
    var _ = towardsClients(spec);
  }

  /** Opens all that is named, as {@link #towardsBrokers} does, and keeps nothing. */
  public static void checkTowardsBrokers(TlsSpec spec) throws TlsMaterialException {
    var _ = towardsBrokers(spec);
  }

  private ServingTls server() throws TlsMaterialException {
    var shown = shown(spec.key().orElseThrow());
    var builder =
        SslContextBuilder.forServer(shown.key(), shown.chain())
            .clientAuth(
                switch (spec.clientAuth()) {
                  case NONE -> ClientAuth.NONE;
                  case REQUESTED -> ClientAuth.OPTIONAL;
                  case REQUIRED -> ClientAuth.REQUIRE;
                });
    return new ServingTls(
        build(builder),
        protocols(),
        spec.clientAuth(),
        ShownCertificate.of(shown.chain().getFirst()));
  }

  private JdkSslContext client() throws TlsMaterialException {
    var builder = SslContextBuilder.forClient();
    if (spec.key().isPresent()) {
      var shown = shown(spec.key().get());
      builder.keyManager(shown.key(), shown.chain());
    }
    builder.endpointIdentificationAlgorithm(spec.verifies() ? "HTTPS" : null);
    return build(builder);
  }

  private JdkSslContext build(SslContextBuilder builder) throws TlsMaterialException {
    switch (spec.trust()) {
      case TrustSpec.Platform() -> {}
      case TrustSpec.Insecure() -> builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
      case TrustSpec.Stored(var store, _) -> builder.trustManager(trusted(store));
    }
    builder.sslProvider(SslProvider.JDK).protocols(protocols());
    if (!spec.cipherSuites().equals(Choice.USUAL)) {
      builder.ciphers(cipherSuites(), IdentityCipherSuiteFilter.INSTANCE);
    }
    try {
      // That of this provider.
      return (JdkSslContext) builder.build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new TlsMaterialException(
          "expected tls to make a TLS context, found: " + e.getMessage() + "; correct it");
    }
  }

  // ---- keys and certificates -----------------------------------------------------------------

  private static KeyPairing shown(KeySpec key) throws TlsMaterialException {
    var pairing =
        switch (key) {
          case KeySpec.Pair(var certificates, var privateKey, var password) ->
              pairing(
                  PemFile.read(KEY + ".certificateFile", certificates.path()),
                  new PemKey(PemFile.read(KEY + ".privateKeyFile", privateKey.path()), password));
          case KeySpec.Stored(var store, var password) when store.type() == StoreSpec.Type.PEM -> {
            var file = PemFile.read(KEY + ".storeFile", store.file().path());
            yield pairing(file, new PemKey(file, password.or(store::password)));
          }
          case KeySpec.Stored(var store, var password) ->
              OpenedStore.open(KEY, store).pairing(password);
        };
    if (!pairing.matches()) {
      throw new TlsMaterialException(
          "expected tls.key to have the private key of its first certificate, which is for '"
              + pairing.chain().getFirst().getSubjectX500Principal().getName()
              + "', found another key; see that both files are of one pair");
    }
    return pairing;
  }

  private static KeyPairing pairing(PemFile certificates, PemKey key) throws TlsMaterialException {
    var chain = certificates.certificates();
    return new KeyPairing(key.read(), chain);
  }

  private static List<X509Certificate> trusted(StoreSpec store) throws TlsMaterialException {
    return store.type() == StoreSpec.Type.PEM
        ? PemFile.read(TRUST + ".storeFile", store.file().path()).certificates()
        : OpenedStore.open(TRUST, store).trusted();
  }

  // ---- what is agreed upon -------------------------------------------------------------------

  private List<String> protocols() throws TlsMaterialException {
    var known = Arrays.asList(supported.getProtocols());
    var usual = USUAL_PROTOCOLS.stream().filter(known::contains).toList();
    return chosen("tls.protocols", spec.protocols(), known, usual);
  }

  private List<String> cipherSuites() throws TlsMaterialException {
    var known = Arrays.asList(supported.getCipherSuites());
    try {
      var usual =
          Arrays.asList(SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites());
      return chosen("tls.cipherSuites", spec.cipherSuites(), known, usual);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected this JDK to speak TLS", e);
    }
  }

  private static List<String> chosen(
      String key, Choice choice, List<String> known, List<String> usual)
      throws TlsMaterialException {
    for (var one : choice.allow()) {
      if (!known.contains(one)) {
        throw TlsMaterialException.of(
            key + ".allow", "names that this JDK knows", "'" + one + "'", "choose among " + known);
      }
    }
    var chosen = choice.among(usual);
    if (chosen.isEmpty()) {
      throw TlsMaterialException.of(
          key, "something that is left to choose from", "that deny leaves nothing", "allow more");
    }
    return chosen;
  }
}
