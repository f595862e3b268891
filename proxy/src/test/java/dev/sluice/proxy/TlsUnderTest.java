package dev.sluice.proxy;

import dev.sluice.embedded.Authority;
import dev.sluice.embedded.Issued;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.tls.Choice;
import dev.sluice.proxy.tls.KeySpec;
import dev.sluice.proxy.tls.NamedFile;
import dev.sluice.proxy.tls.StoreSpec;
import dev.sluice.proxy.tls.TlsSpec;
import dev.sluice.proxy.tls.TrustSpec;
import dev.sluice.proxy.tls.TrustSpec.ClientAuth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Keys and certificates of a test, and who speaks TLS with them. */
final class TlsUnderTest {

  private final Path folder;
  private final Authority authority;
  private int files;

  TlsUnderTest(Path folder) {
    this.folder = folder;
    this.authority = Authority.create(folder, "test");
  }

  /** For the loopback address, and for these names. */
  Issued issue(String name, String... names) {
    var all = new ArrayList<String>(List.of("ip:127.0.0.1"));
    for (var each : names) {
      all.add("dns:" + each);
    }
    return authority.issue(name, all.toArray(String[]::new));
  }

  /** For no name and no address. */
  Issued issueForNobody(String name) {
    return authority.issue(name, "dns:nobody.example");
  }

  /** What a gateway speaks that shows this. */
  TlsSpec showing(Issued shown) {
    return new TlsSpec(
        Optional.of(pair(shown)), new TrustSpec.Platform(), Choice.USUAL, Choice.USUAL);
  }

  /** The same, and clients have to show a certificate of the authority. */
  TlsSpec showingAndAsking(Issued shown, ClientAuth clientAuth) {
    return new TlsSpec(
        Optional.of(pair(shown)),
        new TrustSpec.Stored(trusted(), clientAuth),
        Choice.USUAL,
        Choice.USUAL);
  }

  /** What is spoken with brokers that show a certificate of the authority. */
  TlsSpec trusting() {
    return new TlsSpec(
        Optional.empty(),
        new TrustSpec.Stored(trusted(), ClientAuth.NONE),
        Choice.USUAL,
        Choice.USUAL);
  }

  private StoreSpec trusted() {
    return new StoreSpec(
        NamedFile.now(authority.root().certificates(folder.resolve("ca.crt"))),
        StoreSpec.Type.PEM,
        Optional.empty());
  }

  private KeySpec pair(Issued shown) {
    int number = ++files;
    return new KeySpec.Pair(
        NamedFile.now(shown.certificates(folder.resolve(number + ".crt"))),
        NamedFile.now(shown.privateKey(folder.resolve(number + ".key"))),
        Optional.empty());
  }

  // ---- who speaks it -------------------------------------------------------------------------

  /** A client that trusts the authority, and shows nothing. */
  SSLSocket client(Endpoint endpoint) throws IOException {
    return client(endpoint, null);
  }

  /** The same, and it asks for a host. */
  SSLSocket client(Endpoint endpoint, @Nullable String host) throws IOException {
    return over(new Socket(), endpoint, host);
  }

  private SSLSocket over(Socket plain, Endpoint endpoint, @Nullable String host)
      throws IOException {
    plain.connect(new InetSocketAddress(endpoint.host(), endpoint.port()));
    return wrap(plain, endpoint, host);
  }

  /** Speaks TLS over what is connected. */
  SSLSocket wrap(Socket plain, Endpoint endpoint, @Nullable String host) throws IOException {
    var socket =
        (SSLSocket)
            speaking(null)
                .getSocketFactory()
                .createSocket(plain, endpoint.host(), endpoint.port(), true);
    if (host != null) {
      var parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(host)));
      socket.setSSLParameters(parameters);
    }
    return socket;
  }

  /** Where a broker listens that shows this. */
  ServerSocket listening(Issued shown) throws IOException {
    return speaking(shown).getServerSocketFactory().createServerSocket(0);
  }

  private SSLContext speaking(@Nullable Issued shown) {
    try {
      var trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      trust.setCertificateEntry("root", authority.root().chain().getFirst());
      var trusting = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusting.init(trust);
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      var own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      if (shown != null) {
        own.setKeyEntry("own", shown.key(), new char[0], shown.chain().toArray(Certificate[]::new));
      }
      keys.init(own, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trusting.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
