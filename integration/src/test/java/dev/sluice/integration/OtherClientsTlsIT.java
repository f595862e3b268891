package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.ClientSecurity;
import dev.sluice.audit.Selection;
import dev.sluice.embedded.FreePorts;
import dev.sluice.proxy.VirtualClusterSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that are not Java's, through a port that goes by host names: they show a certificate to
 * the gateway, and say to the broker who they are.
 */
@ExtendWith(SecureKafka.Given.class)
class OtherClientsTlsIT {

  private static final int RECORDS = 200;
  private static final Selection CLIENTS = Selection.parse("confluent-kafka,kafka-python,franz-go");
  private static final int SECONDS = 30;

  @TempDir private Path folder;
  private PrivateHosts hosts;
  private final int port = FreePorts.inARow(1);
  private final String servers = "orders.sluice.test:" + port;

  @BeforeEach
  void lead(SecureKafka kafka) throws Exception {
    hosts = PrivateHosts.with(folder, "orders.sluice.test", "orders-1.sluice.test");
    assumeTrue(hosts.isPossible(), "programs cannot be given names of hosts here");
    SaslIT.addUser(kafka);
  }

  /** By PLAIN: brokers of today refuse the SCRAM of librdkafka before 2.6.1, which Debian has. */
  @Test
  void kcat_finds_its_broker_by_name_and_certificate_and_password(SecureKafka kafka)
      throws Exception {
    if (Child.find("kcat").isEmpty()) {
      System.err.println("SKIPPED: kcat is not installed (Debian package kcat)");
    }
    assumeTrue(Child.find("kcat").isPresent(), "kcat is not installed");
    var security = security(kafka, "PLAIN");
    try (var _ = TlsIT.running(SecureProxy.speaking(gateway(kafka), kafka.trusting()))) {
      var topic = TlsIT.topic(kafka.cluster().bootstrapServers(), Map.of());
      var lines = IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).toList();
      var produced = kcat(security, true, String.join("\n", lines) + "\n", "-P", "-t", topic);
      assertThat(produced.exitStatus()).as(produced.output()).isZero();
      var consumed = kcat(security, true, "", "-C", "-e", "-q", "-t", topic);
      assertThat(consumed.output().lines()).containsExactlyInAnyOrderElementsOf(lines);

      var without = kcat(security, false, "", "-L", "-m", "5");
      assertThat(without.exitStatus()).as("without a certificate").isNotZero();
    }
  }

  @Test
  @Tag("acceptance")
  void clients_in_go_python_and_c_lose_nothing(SecureKafka kafka) throws Exception {
    boolean there = Files.isDirectory(AuditIT.PROGRAMS.resolve("bin"));
    if (!there) {
      System.err.println("SKIPPED: clients of other languages: run audit/clients/setup first");
    }
    assumeTrue(there, "clients of other languages are not set up");
    try (var _ = TlsIT.running(SecureProxy.speaking(gateway(kafka), kafka.trusting()))) {
      var plan =
          AuditPlan.of(servers)
              .withWitness(kafka.cluster().bootstrapServers())
              .withClients(CLIENTS)
              .withPrograms(hosts.launchers(AuditIT.PROGRAMS, folder.resolve("programs")))
              .withSecurity(security(kafka, "SCRAM-SHA-256"));
      var report = AuditIT.audit(plan, SECONDS, CLIENTS.names().size());

      assertThat(report.skipped()).isEmpty();
      AuditIT.assertClean(report);
    }
  }

  // ---- in the words of the tests -------------------------------------------------------------

  private VirtualClusterSpec gateway(SecureKafka kafka) {
    return SecureProxy.byHostName(
        "orders", kafka.at(SecureKafka.SASL), port, kafka.shownAndAsked());
  }

  private ClientSecurity security(SecureKafka kafka, String mechanism) {
    var client = kafka.client();
    return new ClientSecurity(
        kafka.authority().root().certificates(folder.resolve("ca.pem")),
        client.certificates(folder.resolve("client.crt")),
        client.privateKey(folder.resolve("client.key")),
        mechanism,
        "alice",
        SecureKafka.PASSWORD);
  }

  private Child kcat(
      ClientSecurity security, boolean showsCertificate, String input, String... arguments)
      throws InterruptedException {
    var command = new ArrayList<>(List.of("kcat", "-b", servers));
    var settings =
        new ArrayList<>(
            List.of(
                "security.protocol=SASL_SSL",
                "ssl.ca.location=" + security.authorities(),
                "sasl.mechanisms=" + security.mechanism(),
                "sasl.username=" + security.user(),
                "sasl.password=" + security.password()));
    if (showsCertificate) {
      settings.add("ssl.certificate.location=" + security.certificate());
      settings.add("ssl.key.location=" + security.key());
    }
    settings.forEach(setting -> command.addAll(List.of("-X", setting)));
    command.addAll(List.of(arguments));
    return Child.run(hosts.command(command), input);
  }
}
