package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.guide.Block;
import dev.sluice.embedded.ClusterPlan;
import dev.sluice.embedded.EmbeddedCluster;
import dev.sluice.embedded.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page about TLS is walked from its top: what it has people type is typed, each configuration
 * is run as it stands, and clients come by it. Its names lead to this machine; only ports are
 * others.
 */
@Tag("acceptance")
class TlsGuideIT {

  private static final String PAGE = "docs/guide/tls.md";
  private static final String PASSWORD = "not-secret";
  private static final String KCAT_TLS = " -X security.protocol=ssl -X ssl.ca.location=ca.pem";
  private static final int PORTS = 12;
  private static final int SHARED = 5;
  private static final int MANAGEMENT = 6;

  /** The listener that speaks TLS, and wants to know who comes. */
  private static final String ASKING = "ASKING";

  private static final String[] NAMES = {
    "proxy.example",
    "kafka-0",
    "kafka-1",
    "orders.kafka.example",
    "payments.kafka.example",
    "order.kafka.example",
    "broker-1.orders.kafka.example",
    "broker-1.payments.kafka.example"
  };

  /** A request for the versions of APIs, whose answer begins with four bytes of length. */
  private static final String ASK_VERSIONS =
      "\\x00\\x00\\x00\\x0d\\x00\\x12\\x00\\x00\\x00\\x00\\x00\\x07\\x00\\x03abc";

  @TempDir private Path folder;
  private final int port = FreePorts.inARow(PORTS);
  private GuideShell shell;

  @BeforeEach
  void open() throws Exception {
    for (var program : List.of("kcat", "openssl", "keytool")) {
      if (Child.find(program).isEmpty()) {
        System.err.println("SKIPPED: TlsGuideIT, " + program + " is not installed");
      }
      assumeTrue(Child.find(program).isPresent(), program);
    }
    var hosts = PrivateHosts.with(folder, NAMES);
    assumeTrue(hosts.isPossible(), "programs cannot be given names of hosts here");
    shell =
        GuideShell.in(folder)
            .within(hosts)
            .with("proxy.example:9192", "proxy.example:" + port)
            .with("localhost:9192", "localhost:" + port)
            .with(":9443", ":" + (port + SHARED))
            .with(":443", ":" + (port + SHARED))
            .with("proxy.example:9190", "proxy.example:" + (port + MANAGEMENT))
            .with("bindAddress: 0.0.0.0", "bindAddress: 0.0.0.0\n  port: " + (port + MANAGEMENT));
  }

  @Test
  void what_the_page_about_tls_shows_does_what_it_says() throws Exception {
    var blocks = new ArrayList<>(GuidePage.blocks(PAGE));
    typeAll(blocks.removeFirst());
    issue("server", "DNS:kafka-0,DNS:kafka-1,DNS:localhost,IP:127.0.0.1");
    try (var kafka = EmbeddedCluster.start(plan())) {
      shell =
          shell
              .with("kafka-0:9092", "kafka-0:" + portOf(kafka.bootstrapServers()))
              .with("kafka-0:9093", "kafka-0:" + portOf(kafka.bootstrapServers(ASKING)))
              .with("kafka-1:9093", "kafka-1:" + portOf(kafka.bootstrapServers(ASKING)));
      walk(blocks);
    }
  }

  /** What follows a configuration is typed while that runs. */
  private void walk(List<Block> blocks) throws Exception {
    issue("proxy", "DNS:proxy.example");
    issue("management", "DNS:proxy.example");
    issue("orders", "DNS:orders.kafka.example,DNS:*.orders.kafka.example");
    issue("payments", "DNS:payments.kafka.example,DNS:*.payments.kafka.example");
    var makes = new ArrayList<Block>();
    int tried = 0;
    for (int at = 0; at < blocks.size(); at++) {
      var block = blocks.get(at);
      if (!block.language().equals("yaml")) {
        makes.add(block);
        continue;
      }
      int end = at + 1;
      while (end < blocks.size() && !makesFiles(blocks.get(end)) && !isYaml(blocks.get(end))) {
        end++;
      }
      for (var make : makes) {
        typeAll(make);
      }
      makes.clear();
      run(block, blocks.subList(at + 1, end));
      at = end - 1;
      tried++;
    }
    assertThat(makes).as("blocks that nobody has tried").isEmpty();
    assertThat(tried).as("configurations").isEqualTo(6);
  }

  private static boolean isYaml(Block block) {
    return block.language().equals("yaml");
  }

  /** What the next configuration names. */
  private static boolean makesFiles(Block block) {
    return block.whole().contains("$ openssl");
  }

  private void run(Block block, List<Block> then) throws Exception {
    var yaml = shell.here(block.text());
    var whole = yaml.contains("management:") ? yaml : "management: { port: 0 }\n" + yaml;
    Files.writeString(folder.resolve("sluice.yaml"), whole);
    var file = folder.resolve("sluice.yaml").toString();
    var sluice = SluiceProcess.home().resolve("bin").resolve("sluice").toString();
    var command = shell.inThere(List.of(sluice, "proxy", "-c", file));
    try (var proxy =
        SluiceProcess.start(
            Path.of(command.getFirst()),
            command.subList(1, command.size()).toArray(String[]::new))) {
      proxy.awaitErrors("to=serving");
      proxy.awaitErrors("Management API listens");
      for (var each : then) {
        if (each.language().equals("text")) {
          java(each);
        } else {
          typeAll(each);
        }
      }
      come(block.text(), proxy);
    }
  }

  /** By what a configuration is about. */
  private void come(String yaml, SluiceProcess proxy) throws Exception {
    if (yaml.contains("sniHostIdentifiesNode")) {
      for (var name : List.of("orders", "payments")) {
        converse(name + ".kafka.example:" + (port + SHARED), KCAT_TLS);
      }
      shell.said("kcat -L -m 5 -b order.kafka.example:" + (port + SHARED) + KCAT_TLS);
      proxy.awaitErrors(
          "Refused a client that asked for host 'order.kafka.example'; known there are");
    } else if (yaml.contains("clientAuth: REQUIRED }    #")) {
      converse(
          "proxy.example:" + port,
          KCAT_TLS + " -X ssl.certificate.location=client.crt -X ssl.key.location=client.key");
      assertThat(shell.said("kcat -L -m 5 -b proxy.example:" + port + KCAT_TLS))
          .as("who shows none")
          .doesNotContain("broker 1 at");
    } else if (yaml.contains("certificateFile: tls.crt")) {
      converse("proxy.example:" + port, KCAT_TLS);
      assertThat(shell.said("kcat -L -m 5 -b proxy.example:" + port))
          .as("in plain text")
          .doesNotContain("broker 1 at");
    } else if (yaml.contains("proxyProtocol")) {
      assertThat(answered("PROXY TCP4 203.0.113.7 127.0.0.1 5000 9192\\r\\n" + ASK_VERSIONS))
          .as("with a header")
          .isGreaterThan(4);
      assertThat(answered(ASK_VERSIONS)).as("without").isZero();
    } else {
      converse("localhost:" + port, "");
    }
  }

  private void converse(String servers, String security) throws Exception {
    var topic = servers.replace(':', '-') + "-" + security.length();
    var produced = shell.said("echo hello | kcat -P -b " + servers + " -t " + topic + security);
    var consumed = shell.said("kcat -C -e -q -b " + servers + " -t " + topic + security);
    assertThat(consumed).as("through " + servers + ", after: " + produced).contains("hello\n");
  }

  /** How many bytes come back, of the first few. */
  private int answered(String sent) throws Exception {
    var command =
        "exec 3<>/dev/tcp/proxy.example/%d && printf '%s' >&3; timeout 20 head -c 5 <&3 | wc -c"
            .formatted(port, sent);
    return Integer.parseInt(shell.said(command).strip());
  }

  /** A client of Java with the settings that the page shows. */
  private void java(Block block) throws Exception {
    var settings =
        Files.writeString(
            folder.resolve("client.properties"),
            block.text().replace("=ca.pem", "=" + folder.resolve("ca.pem")));
    var program =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "org.apache.kafka.tools.ClusterTool",
            "cluster-id",
            "--bootstrap-server",
            "proxy.example:" + port,
            "--command-config",
            settings.toString());
    var child = Child.run(shell.inThere(program), "");
    assertThat(child.output()).contains("Cluster ID: ");
  }

  private void typeAll(Block block) throws Exception {
    for (var typed : GuidePage.typed(block)) {
      shell.type(PAGE, typed);
    }
  }

  /**
   * What somebody else's authority would have done: a key and a certificate by that of the page.
   */
  private void issue(String name, String names) throws Exception {
    var said =
        shell.said(
            """
            set -e
            openssl req -newkey rsa:2048 -nodes -subj /CN=%1$s -addext subjectAltName=%2$s -keyout %1$s.key -out %1$s.csr
            openssl x509 -req -in %1$s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy -days 2 -out %1$s.crt
            openssl pkcs12 -export -in %1$s.crt -inkey %1$s.key -passout pass:%3$s -out %1$s.p12
            echo issued"""
                .formatted(name, names, PASSWORD));
    assertThat(said).endsWith("issued\n");
  }

  private ClusterPlan plan() throws IOException {
    var trust = folder.resolve("ca.pem").toString();
    var plan = ClusterPlan.combined(1).withListener(ASKING, "SSL");
    var properties =
        Map.of(
            "ssl.keystore.location",
            folder.resolve("server.p12").toString(),
            "ssl.keystore.type",
            "PKCS12",
            "ssl.keystore.password",
            PASSWORD,
            "ssl.key.password",
            PASSWORD,
            "ssl.truststore.type",
            "PEM",
            "ssl.truststore.location",
            trust,
            "listener.name.asking.ssl.client.auth",
            "required");
    for (var property : properties.entrySet()) {
      plan = plan.withProperty(property.getKey(), property.getValue());
    }
    return plan;
  }

  private static String portOf(String servers) {
    return servers.substring(servers.lastIndexOf(':') + 1);
  }
}
