package dev.sluice.app.management;

import dev.sluice.app.configuration.ManagementSpec;
import dev.sluice.app.reload.OwnKeys;
import dev.sluice.proxy.tls.Choice;
import dev.sluice.proxy.tls.ServingTls;
import dev.sluice.proxy.tls.TlsMaterial;
import dev.sluice.proxy.tls.TlsMaterialException;
import dev.sluice.proxy.tls.TlsSpec;
import io.javalin.config.JavalinConfig;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.DetectorConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the management API listens, and how callers are spoken with: in plain text, or in TLS,
 * whose keys can be replaced while it listens. Connections go on with the keys that they began
 * with.
 */
public final class ManagementDoor implements OwnKeys {

  private static final Logger LOG = LoggerFactory.getLogger(ManagementDoor.class);

  private final ManagementSpec spec;
  private static final String[] NO_SUITES = {};

  private final SslContextFactory.Server factory = new SslContextFactory.Server();

  /** What Jetty holds to be weak; where no suites are asked for, those of Java but these are. */
  private final String[] weakSuites = factory.getExcludeCipherSuites();

  private Optional<TlsSpec> inForce;
  private volatile Optional<Instant> notAfter;

  private ManagementDoor(ManagementSpec spec, Optional<ServingTls> tls) {
    this.spec = spec;
    this.inForce = spec.tls();
    this.notAfter = tls.map(made -> made.shown().notAfter());
    tls.ifPresent(made -> speak(made, spec.tls().orElseThrow()));
  }

  /**
   * Reads the keys, and listens nowhere yet. Blocks.
   *
   * @throws ManagementKeysException if they cannot be used
   */
  public static ManagementDoor of(ManagementSpec spec) {
    try {
      return new ManagementDoor(
          spec,
          spec.tls().isPresent()
              ? Optional.of(TlsMaterial.towardsClients(spec.tls().get()))
              : Optional.empty());
    } catch (TlsMaterialException e) {
      throw new ManagementKeysException(e);
    }
  }

  ManagementSpec spec() {
    return spec;
  }

  /** Until when the certificate is good that callers are shown; empty: they are shown none. */
  public Optional<Instant> notAfter() {
    return notAfter;
  }

  /** Has the API listen here. */
  void addTo(JavalinConfig config) {
    if (spec.tls().isPresent()) {
      config.jetty.addConnector(this::connector);
    }
  }

  private ServerConnector connector(Server server, HttpConfiguration plain) {
    var secure = new HttpConfiguration(plain);
    // Callers check names; a probe that does not may call by an address.
    secure.addCustomizer(new SecureRequestCustomizer(false));
    secure.addCustomizer(ManagementDoor::refuseClearText);
    var http = new HttpConnectionFactory(secure);
    var tls = new SslConnectionFactory(factory, http.getProtocol());
    // What is not recognised as TLS falls to the next, and is refused in words.
    var connector = new ServerConnector(server, new DetectorConnectionFactory(tls), http);
    connector.setHost(spec.bindAddress());
    connector.setPort(spec.port());
    return connector;
  }

  /** By the connection: what the request says of itself is up to who sends it. */
  private static Request refuseClearText(Request request, HttpFields.Mutable response) {
    if (!request.getConnectionMetaData().isSecure()) {
      throw new ClearTextException();
    }
    return request;
  }

  private void speak(ServingTls tls, TlsSpec asked) {
    factory.setSslContext(tls.forOthers());
    factory.setExcludeProtocols();
    factory.setIncludeProtocols(tls.protocols().toArray(String[]::new));
    boolean usual = asked.cipherSuites().equals(Choice.USUAL);
    factory.setExcludeCipherSuites(usual ? weakSuites : NO_SUITES);
    factory.setIncludeCipherSuites(usual ? NO_SUITES : tls.cipherSuites().toArray(String[]::new));
    factory.setUseCipherSuitesOrder(true);
    switch (tls.clientAuth()) {
      case NONE -> {
        factory.setNeedClientAuth(false);
        factory.setWantClientAuth(false);
      }
      case REQUESTED -> {
        factory.setNeedClientAuth(false);
        factory.setWantClientAuth(true);
      }
      case REQUIRED -> factory.setNeedClientAuth(true);
    }
  }

  // ---- other keys ----------------------------------------------------------------------------

  @Override
  public Optional<String> objection(ManagementSpec next) {
    try {
      if (next.tls().isPresent()) {
        TlsMaterial.checkTowardsClients(next.tls().get());
      }
      return Optional.empty();
    } catch (TlsMaterialException e) {
      return Optional.of(e.sentence());
    }
  }

  @Override
  public synchronized void take(ManagementSpec next) {
    if (next.tls().isEmpty() || isInForce(next.tls().get())) {
      return;
    }
    try {
      var tls = TlsMaterial.towardsClients(next.tls().get());
      factory.reload(_ -> speak(tls, next.tls().get()));
      inForce = next.tls();
      notAfter = Optional.of(tls.shown().notAfter());
      LOG.atInfo()
          .addKeyValue("subject", tls.shown().subject())
          .addKeyValue("notAfter", tls.shown().notAfter())
          .log("The management API shows another certificate from now on");
    } catch (TlsMaterialException e) {
      // Written anew since it was found good: that change is told, too.
      LOG.atWarn().log("management: {}; the management API goes on as it is", e.sentence());
    } catch (Exception e) {
      LOG.atError().setCause(e).log("The management API goes on with its former certificate");
    }
  }

  private boolean isInForce(TlsSpec next) {
    return inForce
        .filter(now -> now.material().equals(next.material()))
        .filter(now -> now.manners().equals(next.manners()))
        .isPresent();
  }
}
