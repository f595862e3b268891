package dev.sluice.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.app.configuration.Configuration;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.management.ManagementKeysException;
import dev.sluice.app.reload.ReloadFiles;
import dev.sluice.app.run.RunningProxy;
import dev.sluice.embedded.Authority;
import dev.sluice.embedded.FreePorts;
import dev.sluice.embedded.Issued;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proxy whose management API speaks TLS, and the commands that talk to it. */
class ManagementTlsTest {

  private static final String TOKEN = "open sesame";
  private static final String PASSWORD = "a-secret-of-ours";

  @TempDir private static Path made;
  private static Issued root;
  private static Issued first;
  private static Issued second;
  private static Issued elsewhere;
  private static Issued stranger;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final int kafkaPort = FreePorts.inARow(2);
  private @Nullable RunningProxy running;

  @BeforeAll
  static void issue() {
    var authority = Authority.create(made, "ours");
    root = authority.root();
    first = authority.issue("first", "ip:127.0.0.1", "dns:localhost");
    second = authority.issue("second", "ip:127.0.0.1", "dns:localhost");
    elsewhere = authority.issue("elsewhere", "dns:elsewhere.example");
    stranger = Authority.create(made, "stranger").root();
  }

  @AfterEach
  void stop() throws Exception {
    if (running != null) {
      running.proxy().stop("the test is over").toCompletableFuture().get(60, TimeUnit.SECONDS);
      running.close();
    }
  }

  // ---- who is believed -----------------------------------------------------------------------

  @Test
  void commands_believe_an_authority_that_they_are_told() throws IOException {
    start(first, "");

    assertThat(sluice("status", "--ca", ca(root))).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString()).contains("orders");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void an_authority_that_nobody_told_of_is_not_believed() throws IOException {
    start(first, "");

    assertThat(sluice("status")).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString())
        .contains("an authority that this machine does not know", "--ca FILE");
  }

  @Test
  void another_authority_is_not_believed() throws IOException {
    start(first, "");

    assertThat(sluice("status", "--ca", ca(stranger))).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("none in --ca has signed");
  }

  @Test
  void a_certificate_for_another_host_is_not_believed() throws IOException {
    start(elsewhere, "");

    assertThat(sluice("status", "--ca", ca(root))).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("not for '127.0.0.1'", "by a name", "--management");
  }

  @Test
  void an_expired_certificate_is_told() {
    var failure = new SSLHandshakeException("no");
    failure.initCause(new CertificateExpiredException("since yesterday"));

    assertThat(CallerTls.inWords(failure, URI.create("https://localhost:1"), true))
        .hasValueSatisfying(told -> assertThat(told).contains("has expired"));
  }

  @Test
  void a_file_without_certificates_is_told_as_the_option_that_names_it() throws IOException {
    var file = Files.writeString(folder.resolve("nothing.pem"), "nothing");

    assertThat(execute("status", "--management", "https://127.0.0.1:1", "--ca", file.toString()))
        .isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("Expected --ca to be a PEM file", "nothing.pem");
  }

  // ---- who is asked for a certificate --------------------------------------------------------

  @Test
  void callers_show_a_certificate_where_they_are_asked_for_one() throws IOException {
    start(first, "trust: { storeFile: ca.pem }");
    var key = second.privateKey(folder.resolve("caller.pem"));
    Files.write(
        key,
        List.of(
            Files.readString(key), Files.readString(second.certificates(folder.resolve("c.crt")))));

    assertThat(sluice("status", "--ca", ca(root), "--client-key", key.toString()))
        .as(err.toString())
        .isEqualTo(ExitStatus.DONE);
    assertThat(sluice("status", "--ca", ca(root))).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("asks for a certificate", "--client-key FILE");
  }

  // ---- clear text ----------------------------------------------------------------------------

  @Test
  void clear_text_is_refused_in_words_and_its_token_counts_for_nothing() throws Exception {
    start(first, "");
    var port = running().managementPort();
    for (var target : List.of("/api/v1/stop", "https://127.0.0.1/api/v1/stop")) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket
            .getOutputStream()
            .write(
                "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: 0\r\n\r\n"
                    .formatted(target, TOKEN)
                    .getBytes(StandardCharsets.US_ASCII));
        var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(answer)
            .as(target)
            .startsWith("HTTP/1.1 400")
            .contains("application/problem+json", "Expected TLS, found plain HTTP")
            .doesNotContain(TOKEN);
      }
    }
    assertThat(running().proxy().isStopping()).isFalse();
  }

  @Test
  void commands_that_call_http_are_told_to_call_https() throws IOException {
    start(first, "");

    assertThat(execute("status", "--management", "http://127.0.0.1:" + running().managementPort()))
        .isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("call https://");
  }

  @Test
  void commands_that_call_https_where_none_is_spoken_are_told_so() throws IOException {
    start(Optional.empty());

    assertThat(sluice("status", "--ca", ca(root))).isEqualTo(ExitStatus.FAILED);
    assertThat(err.toString()).contains("speaks no TLS", "http://");
  }

  @Test
  void a_token_that_would_go_in_clear_text_is_warned_of() throws IOException {
    var token = Files.writeString(folder.resolve("t"), TOKEN).toString();

    execute("status", "--management", "http://sluice.invalid:1", "--token-file", token);
    assertThat(err.toString()).contains("warning: expected https://").doesNotContain(TOKEN);
  }

  // ---- what is agreed upon -------------------------------------------------------------------

  @Test
  void only_the_protocols_that_are_allowed_are_spoken() throws Exception {
    start(first, "protocols: { allow: [ TLSv1.3 ] }");

    assertThat(handshake("TLSv1.3")).isEqualTo("TLSv1.3");
    assertThatThrownBy(() -> handshake("TLSv1.2")).isInstanceOf(SSLException.class);
  }

  @Test
  void the_token_counts_over_tls_as_it_did() throws Exception {
    start(first, "");

    assertThat(stopping("Bearer another").statusCode()).isEqualTo(401);
    assertThat(running().proxy().isStopping()).isFalse();
    assertThat(stopping("Bearer " + TOKEN).statusCode()).isEqualTo(202);
  }

  // ---- what can be seen ----------------------------------------------------------------------

  @Test
  void what_is_spoken_and_until_when_it_is_good_can_be_seen_and_no_secret_can() throws Exception {
    start(first, "");
    var shared =
        """
              - name: tls
                sniHostIdentifiesNode:
                  bootstrapAddress: "orders.example:%d"
                  bindAddress: 127.0.0.1
                  advertisedBrokerAddressPattern: "broker-$(nodeId).orders.example"
                tls:
                  key:
                    certificateFile: tls.crt
                    privateKeyFile: secret.key
                    keyPassword: { password: "%s" }
                  trust: { storeFile: ca.pem }
        """
            .formatted(FreePorts.inARow(1), PASSWORD);
    first.privateKey(folder.resolve("secret.key"), PASSWORD);
    Files.writeString(file(), Files.readString(file()) + shared);
    assertThat(sluice("reload", "--ca", ca(root))).as(err + "" + out).isEqualTo(ExitStatus.DONE);
    var end = ((X509Certificate) first.chain().getFirst()).getNotAfter().toInstant();

    assertThat(sluice("status", "orders", "--ca", ca(root))).isEqualTo(ExitStatus.DONE);
    assertThat(out.toString())
        .contains(
            "orders, gateway tls: TLSv1.3, TLSv1.2; clients have to show a certificate; shows"
                + " CN=first for 127.0.0.1, localhost, good until "
                + end);
    assertThat(sluice("status", "orders", "--ca", ca(root), "-o", "json"))
        .isEqualTo(ExitStatus.DONE);
    try (var http = client()) {
      var scraped = http.send(request("/metrics").build(), BodyHandlers.ofString()).body();
      assertThat(series(scraped))
          .containsEntry(
              "sluice_gateway_certificate_expiration_timestamp_seconds{gateway=\"tls\",virtual_cluster=\"orders\"}",
              (double) end.getEpochSecond())
          .containsEntry(
              "sluice_management_certificate_expiration_timestamp_seconds",
              (double) end.getEpochSecond());
    }
    assertThat(out.toString()).contains("\"notAfter\"").doesNotContain(PASSWORD, "secret.key");
  }

  private static Map<String, Double> series(String scraped) {
    return scraped
        .lines()
        .filter(line -> line.contains("certificate") && !line.startsWith("#"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))));
  }

  // ---- other keys ----------------------------------------------------------------------------

  @Test
  void rotated_keys_are_shown_to_who_comes_and_connections_go_on() throws Exception {
    start(first, "");
    try (var http = client()) {
      assertThat(shownTo(http)).isEqualTo(first.chain().getFirst());
      show(second);

      assertThat(sluice("reload", "--ca", ca(root))).isEqualTo(ExitStatus.DONE);
      assertThat(shownTo(http)).as("to who is there").isEqualTo(first.chain().getFirst());
    }
    try (var http = client()) {
      assertThat(shownTo(http)).as("to who comes").isEqualTo(second.chain().getFirst());
    }
  }

  @Test
  void suites_that_are_asked_for_no_more_are_not_all_that_is_spoken() throws Exception {
    start(first, "cipherSuites: { allow: [ TLS_AES_128_GCM_SHA256 ] }");
    assertThat(suite()).isEqualTo("TLS_AES_128_GCM_SHA256");
    write(tls(""));

    assertThat(sluice("reload", "--ca", ca(root))).isEqualTo(ExitStatus.DONE);
    assertThat(suite()).isNotEqualTo("TLS_AES_128_GCM_SHA256");
  }

  @Test
  void keys_that_cannot_be_used_refuse_a_reload_and_nothing_changes() throws Exception {
    start(first, "");
    second.privateKey(folder.resolve("tls.key"), PASSWORD);

    assertThat(sluice("reload", "--ca", ca(root))).isEqualTo(ExitStatus.FAILED);
    assertThat(out.toString() + err)
        .contains("management.tls", "tls.key.keyPassword")
        .doesNotContain(PASSWORD);
    try (var http = client()) {
      assertThat(shownTo(http)).isEqualTo(first.chain().getFirst());
    }
  }

  @Test
  void keys_that_cannot_be_used_at_first_start_nothing() throws IOException {
    show(first);
    second.privateKey(folder.resolve("tls.key"));
    write(tls(""));
    var configuration = read();

    assertThatThrownBy(() -> RunningProxy.start(configuration, files()))
        .isInstanceOf(ManagementKeysException.class)
        .hasMessageContaining("management: expected tls.key to have the private key of its first");
    assertThat(execute("validate", "-c", file().toString())).isEqualTo(ExitStatus.FAILED);
    assertThat(out.toString()).contains("management: expected tls.key");
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private void start(Issued shown, String more) throws IOException {
    show(shown);
    start(Optional.of(tls(more)));
  }

  private void start(Optional<String> tls) throws IOException {
    write(tls.orElse(""));
    running = RunningProxy.start(read(), files());
  }

  private RunningProxy running() {
    return Optional.ofNullable(running).orElseThrow();
  }

  private void show(Issued issued) {
    issued.certificates(folder.resolve("tls.crt"));
    issued.privateKey(folder.resolve("tls.key"));
    root.certificates(folder.resolve("ca.pem"));
  }

  private static String tls(String more) {
    return "tls: { key: { certificateFile: tls.crt, privateKeyFile: tls.key }%s }"
        .formatted(more.isEmpty() ? "" : ", " + more);
  }

  private void write(String tls) throws IOException {
    Files.writeString(folder.resolve("token"), TOKEN + "\n");
    var management =
        List.of("port: 0", "tokenFile: token", tls).stream()
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(", "));
    Files.writeString(
        file(),
        """
        management: { %s }
        reload: { watch: false }
        virtualClusters:
          - name: orders
            targetCluster: { bootstrapServers: "127.0.0.1:1" }
            gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: "127.0.0.1:%d"
                  bindAddress: 127.0.0.1
                  nodeIdRanges: [ { name: all, start: 0, end: 0 } ]
        """
            .formatted(management, kafkaPort));
  }

  private Path file() {
    return folder.resolve("proxy.yaml");
  }

  private static ConfigurationFile reader() {
    return new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty());
  }

  private Configuration read() {
    return ((Accepted) reader().read(file())).configuration();
  }

  private ReloadFiles files() {
    return new ReloadFiles(reader(), Optional.of(file()));
  }

  private String ca(Issued authority) {
    return authority.certificates(folder.resolve("believed.pem")).toString();
  }

  /** Against the proxy that runs, over https. */
  private int sluice(String... arguments) {
    var all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(List.of("--management", "https://127.0.0.1:" + running().managementPort()));
    return execute(all.toArray(String[]::new));
  }

  private int execute(String... arguments) {
    var terminal = new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), false);
    return CommandLines.of(terminal).execute(arguments);
  }

  private HttpClient client() {
    var tls = CallerTls.of(Optional.of(Path.of(ca(root))), Optional.empty());
    return HttpClient.newBuilder().sslContext(tls.orElseThrow()).build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create("https://127.0.0.1:" + running().managementPort() + path));
  }

  private Object shownTo(HttpClient http) throws Exception {
    var answer = http.send(request("/livez").build(), BodyHandlers.discarding());
    return answer.sslSession().orElseThrow().getPeerCertificates()[0];
  }

  private String suite() throws Exception {
    try (var http = client()) {
      var answer = http.send(request("/livez").build(), BodyHandlers.discarding());
      return answer.sslSession().orElseThrow().getCipherSuite();
    }
  }

  private HttpResponse<String> stopping(String authorization) throws Exception {
    try (var http = client()) {
      return http.send(
          request("/api/v1/stop")
              .header("Authorization", authorization)
              .POST(BodyPublishers.noBody())
              .build(),
          BodyHandlers.ofString());
    }
  }

  /** The protocol that was agreed upon. */
  private String handshake(String protocol) throws IOException {
    var tls = CallerTls.of(Optional.of(Path.of(ca(root))), Optional.empty()).orElseThrow();
    try (var socket =
        (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", running().managementPort())) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.startHandshake();
      return socket.getSession().getProtocol();
    }
  }
}
