package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import dev.sluice.embedded.Authority;
import dev.sluice.embedded.FreePorts;
import dev.sluice.embedded.Issued;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and stores change under a running {@code sluice proxy}, under load. */
@ExtendWith(SecureKafka.Given.class)
class TlsRotationIT {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /**
   * Of a certificate that was rotated on disk 5 s are promised; a machine that is full is slower.
   */
  private static final Duration ROTATED_WITHIN = Duration.ofSeconds(20);

  private static final Selection CLIENTS = Selection.parse("java-plain,java-classic");
  private static final int RECORDS_BETWEEN = 50;

  /** Nobody notices anything. */
  private static final Limits NOTHING =
      Limits.DEFAULT
          .with(Measure.REBOOTSTRAPS, 0)
          .with(Measure.CANCELLED, 0)
          .with(Measure.DISCONNECTS, 0)
          .with(Measure.ERRORS, 0)
          .with(Measure.WARNINGS, 0);

  @TempDir private Path folder;
  private final int port = FreePorts.inARow(3);

  @Test
  void a_rotated_certificate_is_shown_and_a_wrong_store_is_refused_while_nobody_notices(
      SecureKafka kafka) throws Exception {
    var first = issued(kafka, "first");
    var second = issued(kafka, "second");
    show(first);
    Files.writeString(folder.resolve("trust.pw"), SecureKafka.PASSWORD + "\n");
    Files.copy(kafka.trustStore(), folder.resolve("trust.p12"));
    var file = Files.writeString(folder.resolve("proxy.yaml"), yaml(kafka, "trust.p12"));
    try (var proxy = serving(file)) {
      var plan =
          AuditPlan.of("127.0.0.1:" + port)
              .withWitness(kafka.cluster().bootstrapServers())
              .withClients(CLIENTS)
              .withSettings(kafka.trustingClient());
      try (var audit = Audit.start(plan, new LogbackSource())) {
        assertThat(audit.awaitWarm(System.out::println)).isEmpty();
        audit.enter(Window.EVENT);
        assertRotated(first, second);
        assertRefusedAndThenTaken(kafka, audit);
        var report = audit.finish();
        var verdict = NOTHING.judge(report);
        var table = String.join("\n", ReportTable.lines(report, verdict));
        System.out.println(table);
        assertThat(verdict.breaches()).as(table).isEmpty();
      }
      assertThat(proxy.said()).doesNotContain(SecureKafka.PASSWORD);
    }
  }

  private void assertRotated(Issued first, Issued second) throws Exception {
    assertThat(shownNow()).isEqualTo(first.chain().getFirst());
    long since = System.nanoTime();
    show(second);
    await("the new certificate is shown")
        .atMost(ROTATED_WITHIN)
        .until(() -> shownNow().equals(second.chain().getFirst()));
    System.out.println("ROTATED in " + (System.nanoTime() - since) / 1_000_000 + " ms");
  }

  /** The same is tried again when it is sent again. */
  private void assertRefusedAndThenTaken(SecureKafka kafka, Audit audit) throws Exception {
    var stranger = Authority.create(folder, "stranger").root();
    stranger.trustStore(folder.resolve("stranger.p12"), "PKCS12", SecureKafka.PASSWORD);
    stranger.trustStore(folder.resolve("closed.p12"), "PKCS12", "another-password");
    var good = yaml(kafka, "good.p12");
    for (int time = 0; time < 2; time++) {
      assertThat(post(yaml(kafka, "nowhere.p12")))
          .contains("\"outcome\":\"failed\"", "tls.trust.storeFile", "nowhere.p12");
      assertThat(post(yaml(kafka, "closed.p12")))
          .contains("\"outcome\":\"failed\"", "tls.trust.storePassword", "closed.p12");
      assertThat(post(yaml(kafka, "stranger.p12")))
          .contains("\"outcome\":\"failed\"", "TLS handshake failed");
      assertThat(post(good.replace("gateways:", "gatways:")))
          .contains("\"outcome\":\"invalid\"", "virtualClusters[0].gatways", "unknown key");
      assertThat(post(good + "  - {")).contains("\"outcome\":\"invalid\"", "\"line\"");
      Audits.awaitLoad(audit, RECORDS_BETWEEN);
    }
    Files.copy(folder.resolve("trust.p12"), folder.resolve("good.p12"));
    assertThat(post(good)).contains("\"outcome\":\"applied\"", "in-place");
    Audits.awaitLoad(audit, RECORDS_BETWEEN);
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private static Issued issued(SecureKafka kafka, String name) {
    return kafka.authority().issue(name + "-" + System.nanoTime(), "ip:127.0.0.1");
  }

  private void show(Issued issued) {
    issued.certificates(folder.resolve("tls.crt"));
    issued.privateKey(folder.resolve("tls.key"));
  }

  /** What the gateway shows to who comes now, whoever believes it. */
  private Certificate shownNow() throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Credulous()}, null);
    try (var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  private static final class Credulous implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private String yaml(SecureKafka kafka, String trustStore) {
    return """
        management: { port: %d }
        virtualClusters:
          - name: orders
            targetCluster:
              bootstrapServers: "%s"
              tls: { trust: { storeFile: %s, storePassword: { passwordFile: trust.pw } } }
            gateways:
              - name: local
                portIdentifiesNode:
                  bootstrapAddress: "127.0.0.1:%d"
                  bindAddress: 127.0.0.1
                  nodeIdRanges: [ { name: all, start: 1, end: 1 } ]
                tls: { key: { certificateFile: tls.crt, privateKeyFile: tls.key } }
        """
        .formatted(port + 2, kafka.cluster().bootstrapServers(SecureKafka.TLS), trustStore, port);
  }

  private SluiceProcess serving(Path file) throws IOException {
    var proxy = SluiceProcess.start("proxy", "-c", file.toString());
    try {
      await("it is ready")
          .atMost(START_LIMIT)
          .until(
              () ->
                  send(HttpRequest.newBuilder(URI.create(management() + "/readyz")).build())
                      .contains("\"ready\":true"));
      return proxy;
    } catch (RuntimeException e) {
      var said = proxy.said();
      proxy.close();
      throw new AssertionError("It said: " + said, e);
    }
  }

  private String management() {
    return "http://127.0.0.1:" + (port + 2);
  }

  private String post(String body) throws InterruptedException {
    return send(
        HttpRequest.newBuilder(URI.create(management() + "/api/v1/reload"))
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private static String send(HttpRequest request) throws InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "nobody: " + e;
    }
  }
}
