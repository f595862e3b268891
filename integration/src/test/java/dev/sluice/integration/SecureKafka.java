package dev.sluice.integration;

import dev.sluice.embedded.Authority;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.Issued;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.tls.Choice;
import dev.sluice.proxy.tls.KeySpec;
import dev.sluice.proxy.tls.NamedFile;
import dev.sluice.proxy.tls.Secret;
import dev.sluice.proxy.tls.StoreSpec;
import dev.sluice.proxy.tls.TlsSpec;
import dev.sluice.proxy.tls.TrustSpec;
import dev.sluice.proxy.tls.TrustSpec.ClientAuth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One real server that speaks TLS, asks for certificates and authenticates clients, each at a
 * listener of its own; and an authority that all of a run trust. It ends with the run.
 */
final class SecureKafka implements AutoCloseable {

  static final String TLS = "TLS";
  static final String MUTUAL = "MUTUAL";
  static final String SASL = "SASL";
  static final String PASSWORD = "not-secret";

  /** After so long a client has to say anew who it is. */
  static final int REAUTHENTICATION_MILLIS = 3_000;

  private static final String PLAIN_LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required user_alice=\"%s\";"
          .formatted(PASSWORD);
  private static final String SCRAM_LOGIN =
      "org.apache.kafka.common.security.scram.ScramLoginModule required;";
  private static final String BEARER_LOGIN =
      "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
          + " unsecuredLoginStringClaim_sub=\"broker\";";

  /** Gives it to tests. */
  static final class Given implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
      return parameter.getParameter().getType() == SecureKafka.class;
    }

    @Override
    public SecureKafka resolveParameter(ParameterContext parameter, ExtensionContext test) {
      return test.getRoot()
          .getStore(Namespace.create(SecureKafka.class))
          .computeIfAbsent("secure", _ -> start(), SecureKafka.class);
    }
  }

  private final Path folder;
  private final Authority authority;
  private final EmbeddedCluster cluster;
  private final Issued gateway;
  private final Issued client;

  private SecureKafka(Path folder, Authority authority, EmbeddedCluster cluster) {
    this.folder = folder;
    this.authority = authority;
    this.cluster = cluster;
    this.gateway = authority.issue("gateway", "ip:127.0.0.1", "dns:localhost", "dns:*.sluice.test");
    this.client = authority.issue("client", "dns:client.sluice.test");
  }

  private static SecureKafka start() {
    try {
      var folder = Files.createTempDirectory("sluice-tls");
      var authority = Authority.create(folder, "integration");
      var trust = authority.root().trustStore(folder.resolve("trust.p12"), "PKCS12", PASSWORD);
      var server = authority.issue("server", "ip:127.0.0.1", "dns:localhost");
      var plan =
          ClusterPlan.combined(1)
              .withListener(TLS, "SSL")
              .withListener(MUTUAL, "SSL")
              .withListener(SASL, "SASL_SSL");
      for (var property :
          properties(server.store(folder.resolve("server.p12"), "PKCS12", PASSWORD), trust)
              .entrySet()) {
        plan = plan.withProperty(property.getKey(), property.getValue());
      }
      return new SecureKafka(folder, authority, EmbeddedCluster.start(plan));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a cluster started", e);
    }
  }

  private static Map<String, String> properties(Path keys, Path trust) {
    var sasl = "listener.name.sasl.";
    var properties = new HashMap<String, String>();
    properties.put("ssl.keystore.location", keys.toString());
    properties.put("ssl.keystore.password", PASSWORD);
    properties.put("ssl.key.password", PASSWORD);
    properties.put("ssl.truststore.location", trust.toString());
    properties.put("ssl.truststore.password", PASSWORD);
    properties.put("listener.name.mutual.ssl.client.auth", "required");
    properties.put(sasl + "sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,OAUTHBEARER");
    properties.put(sasl + "connections.max.reauth.ms", Integer.toString(REAUTHENTICATION_MILLIS));
    properties.put(sasl + "plain.sasl.jaas.config", PLAIN_LOGIN);
    properties.put(sasl + "scram-sha-256.sasl.jaas.config", SCRAM_LOGIN);
    properties.put(sasl + "oauthbearer.sasl.jaas.config", BEARER_LOGIN);
    return properties;
  }

  EmbeddedCluster cluster() {
    return cluster;
  }

  Authority authority() {
    return authority;
  }

  /** Where a test may keep files of its own. */
  Path folder() {
    return folder;
  }

  /** The brokers at one of its listeners. */
  List<Endpoint> at(String listener) {
    return Arrays.stream(cluster.bootstrapServers(listener).split(",", -1))
        .map(server -> server.split(":", 2))
        .map(parts -> new Endpoint(parts[0], Integer.parseInt(parts[1])))
        .toList();
  }

  // ---- what the proxy is told ----------------------------------------------------------------

  /** What a gateway shows: a pair of PEM files, the key encrypted. */
  TlsSpec shown() {
    return shown(new TrustSpec.Platform());
  }

  /** The same, in this version of TLS only. */
  TlsSpec shownWith(String protocol) {
    var spec = shown();
    return new TlsSpec(
        spec.key(), spec.trust(), new Choice(List.of(protocol), List.of()), Choice.USUAL);
  }

  /** The same, and clients show a certificate. */
  TlsSpec shownAndAsked() {
    return shown(new TrustSpec.Stored(trusted(), ClientAuth.REQUIRED));
  }

  private TlsSpec shown(TrustSpec trust) {
    var pair =
        new KeySpec.Pair(
            NamedFile.now(gateway.certificates(folder.resolve("gateway.crt"))),
            NamedFile.now(gateway.privateKey(folder.resolve("gateway.key"), PASSWORD)),
            Optional.of(new Secret.Given(PASSWORD)));
    return new TlsSpec(Optional.of(pair), trust, Choice.USUAL, Choice.USUAL);
  }

  /** What brokers are believed by, and nothing is shown to them. */
  TlsSpec trusting() {
    return new TlsSpec(
        Optional.empty(),
        new TrustSpec.Stored(trusted(), ClientAuth.NONE),
        Choice.USUAL,
        Choice.USUAL);
  }

  /** Whoever shows whatever is believed. */
  TlsSpec trustingAnybody() {
    return new TlsSpec(Optional.empty(), new TrustSpec.Insecure(), Choice.USUAL, Choice.USUAL);
  }

  /** The same as {@link #trusting}, and brokers are shown a certificate from a JKS store. */
  TlsSpec trustingAndShowing() {
    var keys = client.store(folder.resolve("proxy.jks"), "JKS", PASSWORD);
    var store =
        new StoreSpec(
            NamedFile.now(keys), StoreSpec.Type.JKS, Optional.of(new Secret.Given(PASSWORD)));
    return new TlsSpec(
        Optional.of(new KeySpec.Stored(store, Optional.empty())),
        new TrustSpec.Stored(trusted(), ClientAuth.NONE),
        Choice.USUAL,
        Choice.USUAL);
  }

  private StoreSpec trusted() {
    return new StoreSpec(
        NamedFile.now(trustStore()),
        StoreSpec.Type.PKCS12,
        Optional.of(new Secret.Given(PASSWORD)));
  }

  /** What clients show that show a certificate. */
  Issued client() {
    return client;
  }

  Path trustStore() {
    return folder.resolve("trust.p12");
  }

  // ---- what clients are told -----------------------------------------------------------------

  /** A Java client that trusts the authority. */
  Map<String, String> trustingClient() {
    return Map.of(
        "security.protocol",
        "SSL",
        "ssl.truststore.location",
        trustStore().toString(),
        "ssl.truststore.password",
        PASSWORD);
  }

  /** The same, which shows a certificate. */
  Map<String, String> showingClient() {
    var settings = new HashMap<>(trustingClient());
    settings.put(
        "ssl.keystore.location",
        client.store(folder.resolve("client.p12"), "PKCS12", PASSWORD).toString());
    settings.put("ssl.keystore.password", PASSWORD);
    settings.put("ssl.key.password", PASSWORD);
    return settings;
  }

  @Override
  public void close() throws IOException {
    cluster.close();
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
