package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.ConfigurationFile.Outcome;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.proxy.GatewaySpec.Nodes;
import dev.sluice.proxy.GatewaySpec.ProxyProtocol;
import dev.sluice.proxy.VirtualClusterSpec;
import dev.sluice.proxy.tls.Choice;
import dev.sluice.proxy.tls.KeySpec;
import dev.sluice.proxy.tls.NamedFile;
import dev.sluice.proxy.tls.Secret;
import dev.sluice.proxy.tls.StoreSpec;
import dev.sluice.proxy.tls.TlsSpec;
import dev.sluice.proxy.tls.TrustSpec;
import dev.sluice.proxy.tls.TrustSpec.ClientAuth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tls}, {@code sniHostIdentifiesNode} and {@code proxyProtocol} become. */
class TlsBindingTest {

  private static final String SECRET = "a-secret-of-ours";

  private static final String PLAIN =
      """
      virtualClusters:
        - name: orders
          targetCluster: { bootstrapServers: "kafka-0:9092"%s }
          gateways:
            - name: local
              portIdentifiesNode: { bootstrapAddress: "localhost:9192" }
      """;

  private static final String PAIR =
      "tls: { key: { certificateFile: a.crt, privateKeyFile: a.key } }";

  @TempDir private Path directory;

  @Test
  void a_pair_and_a_trust_store_find_their_place() throws IOException {
    write("tls.crt", "tls.key", "ca.p12", "ca.pw");
    var tls =
        gatewayTls(
            """
            key:
              certificateFile: tls.crt
              privateKeyFile: tls.key
              keyPassword: { password: "${env:KEY}" }
            trust:
              storeFile: ca.p12
              storePassword: { passwordFile: ca.pw }
              trustOptions: { clientAuth: REQUESTED }
            protocols: { allow: [ TLSv1.3 ] }
            cipherSuites: { deny: [ TLS_AES_128_GCM_SHA256 ] }
            """);

    assertThat(tls)
        .isEqualTo(
            new TlsSpec(
                Optional.of(
                    new KeySpec.Pair(
                        file("tls.crt"), file("tls.key"), Optional.of(new Secret.Given(SECRET)))),
                new TrustSpec.Stored(
                    new StoreSpec(
                        file("ca.p12"),
                        StoreSpec.Type.PKCS12,
                        Optional.of(new Secret.InFile(file("ca.pw")))),
                    ClientAuth.REQUESTED),
                new Choice(List.of("TLSv1.3"), List.of()),
                new Choice(List.of(), List.of("TLS_AES_128_GCM_SHA256"))));
  }

  @Test
  void a_store_is_of_the_type_that_is_told_or_that_its_name_says() throws IOException {
    write("a.jks", "b.pem");
    var tls = gatewayTls("key: { storeFile: a.jks, storeType: JKS }\ntrust: { storeFile: b.pem }");

    assertThat(tls.key().orElseThrow().toString()).contains("JKS");
    assertThat(tls.trust())
        .isEqualTo(
            new TrustSpec.Stored(
                new StoreSpec(file("b.pem"), StoreSpec.Type.PEM, Optional.empty()),
                ClientAuth.REQUIRED));
  }

  @Test
  void brokers_are_trusted_by_the_platform_where_nothing_is_said() {
    var read = read(PLAIN.formatted(", tls: {}"));

    assertThat(read.findings()).isEmpty();
    assertThat(cluster(read).upstreamTls().orElseThrow().trust())
        .isEqualTo(new TrustSpec.Platform());
  }

  @Test
  void insecure_is_told_each_time() {
    assertThat(found(PLAIN.formatted(", tls: { trust: { insecure: true } }")))
        .singleElement()
        .asString()
        .contains("tls.trust.insecure", "warning", "all are believed");
  }

  @Test
  void the_management_api_speaks_as_a_gateway_does() throws IOException {
    write("a.p12", "ca.pem");
    var read =
        read(
            """
            management:
              bindAddress: 0.0.0.0
              tokenFile: a.p12
              tls:
                key: { storeFile: a.p12, storePassword: { password: "${env:KEY}" } }
                trust: { storeFile: ca.pem, trustOptions: { clientAuth: REQUESTED } }
            """
                + PLAIN.formatted(""));

    assertThat(read.findings()).isEmpty();
    var configuration = ((Accepted) read).configuration();
    var tls = configuration.management().tls().orElseThrow();
    assertThat(tls.clientAuth()).isEqualTo(ClientAuth.REQUESTED);
    assertThat(configuration.namedFiles())
        .containsKeys(file("a.p12").path(), file("ca.pem").path());
    assertThat(configuration.toString()).doesNotContain(SECRET);
  }

  @Test
  void a_management_api_that_others_can_listen_to_is_warned_of() throws IOException {
    write("token");
    var overheard = "management: { bindAddress: 0.0.0.0, tokenFile: token }\n";

    assertThat(found(overheard + PLAIN.formatted("")))
        .singleElement()
        .asString()
        .contains("management.bindAddress", "warning", "expected tls", "the token included");
    assertThat(found(overheard.replace("0.0.0.0", "127.0.0.1") + PLAIN.formatted(""))).isEmpty();
  }

  @Test
  void keys_of_the_management_api_that_are_not_there_are_told_as_such() throws IOException {
    assertThat(found("management: { tls: { key: { storeFile: a.p12 } } }\n" + PLAIN.formatted("")))
        .singleElement()
        .asString()
        .contains("management.tls.key.storeFile", "the management API cannot be served");
  }

  @Test
  void a_file_that_is_not_there_concerns_one_virtual_cluster_only() {
    var read = read(PLAIN.formatted("") + "        " + PAIR + "\n");

    assertThat(read).isInstanceOf(Accepted.class);
    assertThat(lines(read))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("virtualClusters[0].gateways[0].tls.key.certificateFile", "a.crt"));
    assertThat(TlsCheck.objections(((Accepted) read).configuration()))
        .singleElement()
        .asString()
        .contains("virtual cluster orders, gateway local", "tls.key.certificateFile", "a.crt");
  }

  @Test
  void the_content_of_files_is_a_part_of_the_configuration() throws IOException {
    write("a.crt", "a.key");
    var text = PLAIN.formatted("") + "        " + PAIR + "\n";
    var before = ((Accepted) read(text)).configuration();
    Files.writeString(directory.resolve("a.crt"), "another");
    var after = ((Accepted) read(text)).configuration();

    assertThat(after.proxy()).isNotEqualTo(before.proxy());
    assertThat(after.namedFiles())
        .containsOnlyKeys(directory.resolve("a.crt"), directory.resolve("a.key"));
  }

  @Test
  void a_password_is_never_shown_however_wrongly_it_is_written() {
    for (var wrong :
        List.of(
            "storePassword: " + SECRET,
            "storePassword: { password: [ " + SECRET + " ] }",
            "storePassword: { password: \"" + SECRET + "\", passwordFile: x }",
            "keyPassword: \"" + SECRET + "\"")) {
      assertThat(found(PLAIN.formatted(", tls: { key: { storeFile: a.p12, " + wrong + " } }")))
          .as(wrong)
          .isNotEmpty()
          .noneMatch(line -> line.contains(SECRET));
    }
  }

  @Test
  void what_is_lacking_or_too_much_is_told() {
    assertThat(found(PLAIN.formatted(", tls: { key: { certificateFile: a.crt } }")))
        .anyMatch(line -> line.contains("certificateFile and privateKeyFile together"));
    assertThat(found(PLAIN.formatted(", tls: { trust: { storeFile: a, insecure: true } }")))
        .anyMatch(line -> line.contains("expected exactly one of storeFile and insecure"));
    assertThat(found(PLAIN.formatted("") + "        tls: {}\n"))
        .anyMatch(line -> line.contains("expected the key 'key'"));
    assertThat(found(PLAIN.formatted(", tls: { trust: { storFile: a } }")))
        .anyMatch(line -> line.contains("did you mean 'storeFile'?"));
  }

  // ---- host names ----------------------------------------------------------------------------

  @Test
  void host_names_take_the_name_of_their_cluster_and_another_port_for_clients() {
    var gateway =
        cluster(read(sni("orders", "broker-$(nodeId).$(virtualClusterName).ex:443", "")))
            .gateways()
            .getFirst();

    assertThat(gateway.bootstrapAddress()).hasToString("orders.ex:9443");
    assertThat(gateway.advertisedBrokerAddressPattern()).isEqualTo("broker-$(nodeId).orders.ex");
    assertThat(gateway.nodes()).isEqualTo(new Nodes.ByHostName(443));
    assertThat(gateway.proxyProtocol()).isEqualTo(ProxyProtocol.DISABLED);
  }

  @Test
  void host_names_need_tls() {
    assertThat(found(sni("orders", "b-$(nodeId).ex", "").replace("        " + PAIR + "\n", "")))
        .anyMatch(line -> line.contains("expected the key 'tls' beside sniHostIdentifiesNode"));
  }

  @Test
  void several_share_a_port_by_names_of_their_own() {
    assertThat(
            errors(
                sni("orders", "b-$(nodeId).$(virtualClusterName).ex", "")
                    + more("payments", "b-$(nodeId).$(virtualClusterName).ex", "")))
        .isEmpty();
  }

  @Test
  void a_host_name_that_two_want_names_both_owners() {
    assertThat(errors(sni("orders", "b-$(nodeId).ex", "") + more("payments", "b-$(nodeId).EX", "")))
        .singleElement()
        .asString()
        .contains(
            "found that 'b-0.ex' is wanted by virtual cluster payments, gateway shared and by"
                + " virtual cluster orders, gateway shared in line");
  }

  @Test
  void a_port_that_one_shares_and_another_does_not_names_both_owners() {
    assertThat(
            errors(
                sni("orders", "b-$(nodeId).ex", "")
                    + """
                      - name: payments
                        targetCluster: { bootstrapServers: "kafka-0:9092" }
                        gateways:
                          - name: local
                            portIdentifiesNode: { bootstrapAddress: "localhost:9443" }
                    """))
        .singleElement()
        .asString()
        .contains("port 9443 is wanted by virtual cluster payments", "virtual cluster orders");
  }

  @Test
  void who_shares_a_port_listens_there_in_the_same_way() {
    assertThat(
            errors(
                sni("orders", "b-$(nodeId).orders", "")
                    + more("payments", "b-$(nodeId).payments", "proxyProtocol: required")))
        .singleElement()
        .asString()
        .contains("to have the same bindAddress and proxyProtocol", "payments", "orders");
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private static String sni(String name, String pattern, String further) {
    return "virtualClusters:\n" + more(name, pattern, further);
  }

  private static String more(String name, String pattern, String further) {
    return """
        - name: %s
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways:
            - name: shared
              sniHostIdentifiesNode:
                bootstrapAddress: "$(virtualClusterName).ex:9443"
                advertisedBrokerAddressPattern: "%s"
              tls: { key: { certificateFile: a.crt, privateKeyFile: a.key } }
              %s
        """
        .formatted(name, pattern, further)
        .indent(2);
  }

  private TlsSpec gatewayTls(String tls) {
    var read = read(PLAIN.formatted("") + "        tls:\n" + tls.indent(10));
    assertThat(read.findings()).isEmpty();
    return cluster(read).gateways().getFirst().tls().orElseThrow();
  }

  private static VirtualClusterSpec cluster(Outcome read) {
    return ((Accepted) read).configuration().proxy().virtualClusters().getFirst();
  }

  private void write(String... files) throws IOException {
    for (var file : files) {
      Files.writeString(directory.resolve(file), file);
    }
  }

  private NamedFile file(String name) {
    return NamedFile.now(directory.resolve(name));
  }

  private List<String> found(String text) {
    return lines(read(text));
  }

  private List<String> errors(String text) {
    return found(text).stream().filter(line -> !line.contains("warning:")).toList();
  }

  private static List<String> lines(Outcome read) {
    return read.findings().stream().map(finding -> finding.inFile("f")).toList();
  }

  private Outcome read(String text) {
    return new ConfigurationFile(
            ConfigurationSchema.load(),
            name -> Optional.ofNullable(Map.of("KEY", SECRET).get(name)))
        .read(text, directory);
  }
}
