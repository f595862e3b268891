package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.embedded.FreePorts;
import dev.sluice.integration.GuidePage.Typed;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first pages are walked as a newcomer does: every command is typed into a shell, in the order
 * of the page, against one {@code sluice up}, and what is answered has the shape that the page
 * shows. Only ports are others.
 */
class GuideIT {

  private static final int UP_PORTS = 104;
  private static final int OTHER = 100;

  /** Of the proxy that a newcomer configures: its management, then a gateway that grows. */
  private static final int OWN_PORTS = 8;

  private static final int RELOAD_PORTS = 5;

  private static final String PROXY = "./sluice proxy -c sluice.yaml";

  /** What cannot be typed here, and where else it is. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          PROXY,
          "first-steps.md, in the background; elsewhere it would take the port 9190",
          "./sluice up",
          "this test's stage",
          "./sluice demo",
          "DemoIT",
          "mvn verify",
          "the build itself",
          "./sluice reload -c next.yaml --dry-run",
          "first-steps.md, where it asks a proxy with a file");

  @TempDir private Path folder;
  private int port;
  private String kafka = "";

  @Test
  void what_the_first_pages_have_people_type_does_what_they_say() throws Exception {
    boolean there = Child.find("kcat").isPresent() && Child.find("curl").isPresent();
    if (!there) {
      System.err.println("SKIPPED: GuideIT, kcat or curl is not installed");
    }
    assumeTrue(there, "kcat or curl is not installed");
    port = FreePorts.inARow(UP_PORTS + OWN_PORTS);
    var shell = GuideShell.in(folder);
    try (var up = SluiceProcess.start("up", "--base-port", "" + port, "--management-port", "0")) {
      up.awaitOutput("Ctrl-C ends all of it.");
      kafka = up.said().replaceFirst("(?s).*\\nKafka +(\\S+)\n.*", "$1");
      var here =
          shell
              .managedAt(UpIT.management(up))
              .with("9192", port)
              .with("9292", port + OTHER)
              .with("9290", port + UP_PORTS)
              .with("9392", port + UP_PORTS + 1);
      lay();
      walk(here, "README.md");
      try (var _ = new Readers()) {
        walk(here, "docs/guide/first-steps.md");
        walk(here, "docs/guide/operate.md");
        walk(here, "docs/guide/troubleshooting.md");
      }
    }
  }

  /**
   * A file that says less of limits is running; the next one is looked at, then put in its place.
   */
  @Test
  @Tag("acceptance")
  void what_the_page_about_reloads_has_people_type_does_what_it_says() throws Exception {
    port = FreePorts.inARow(RELOAD_PORTS);
    var file = Files.writeString(folder.resolve("proxy.yaml"), yaml(10_000));
    var next = Files.writeString(folder.resolve("next.yaml"), yaml(20_000));
    var management = "http://127.0.0.1:" + (port + RELOAD_PORTS - 1);
    var shell = GuideShell.in(folder).managedAt(management);
    try (var proxy = SluiceProcess.start("proxy", "-c", file.toString())) {
      proxy.awaitErrors("Management API listens");
      proxy.awaitErrors("virtualCluster=orders from=initializing to=serving");
      for (var typed : GuidePage.read("docs/guide/reload.md").typed()) {
        if (!typed.command().contains("next.yaml")) {
          Files.copy(next, file, StandardCopyOption.REPLACE_EXISTING);
        }
        shell.type("docs/guide/reload.md", typed);
      }
    }
  }

  private String yaml(int maxConnections) {
    var cluster =
        """
          - name: %s
            targetCluster: { bootstrapServers: "127.0.0.1:1" }
            gateways: [ { name: local, portIdentifiesNode: { bootstrapAddress: "127.0.0.1:%d", nodeIdRanges: [ { name: all, start: 0, end: 0 } ] } } ]
            limits: { maxConnections: %d }
        """;
    return """
        management: { port: %d }
        reload: { watch: false }
        virtualClusters:
        %s%s"""
        .formatted(
            port + RELOAD_PORTS - 1,
            cluster.formatted("orders", port, maxConnections),
            cluster.formatted("payments", port + 2, 10_000));
  }

  /** The file that a page has people write, with addresses that are free here. */
  private void lay() throws IOException {
    var page = Files.readString(Path.of("..", "docs", "guide", "first-steps.md"));
    var yaml = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(yaml.find()).isTrue();
    var here =
        yaml.group(1)
            .replace("port: 9290", "port: " + (port + UP_PORTS))
            .replace("localhost:9392", "localhost:" + (port + UP_PORTS + 1))
            .replace("localhost:9092", kafka);
    Files.writeString(folder.resolve("sluice.yaml"), here);
  }

  private void walk(GuideShell shell, String name) throws Exception {
    var proxies = new ArrayList<SluiceProcess>();
    try {
      for (var typed : GuidePage.read(name).typed()) {
        if (typed.command().equals(PROXY) && name.endsWith("first-steps.md")) {
          var file = folder.resolve("sluice.yaml").toString();
          proxies.add(SluiceProcess.start("proxy", "-c", file));
          proxies.getLast().awaitErrors("to=serving");
          proxies.getLast().awaitErrors("Management API listens");
        } else {
          type(shell, name, typed);
        }
      }
    } finally {
      for (var proxy : proxies) {
        proxy.close();
      }
    }
  }

  private void type(GuideShell shell, String page, Typed typed) throws Exception {
    if (ELSEWHERE.containsKey(typed.command()) || typed.command().contains("sluice roll ")) {
      return;
    }
    if (typed.answer().stream().anyMatch(line -> line.contains("taken by process"))) {
      shell.type(page, new Typed("./sluice drain payments", List.of()));
      try (var _ = new ServerSocket(port + OTHER)) {
        shell.type(page, typed);
      }
    } else {
      shell.type(page, typed);
    }
  }

  /** Somebody reads through each virtual cluster, so that there are connections to speak of. */
  private final class Readers implements AutoCloseable {

    private final List<Process> readers = new ArrayList<>();

    Readers() throws IOException {
      for (int at : List.of(port, port + OTHER)) {
        readers.add(
            new ProcessBuilder("kcat", "-b", "localhost:" + at, "-C", "-t", "greetings", "-u")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("read-" + at).toFile())
                .start());
      }
      for (int at : List.of(port, port + OTHER)) {
        await("kcat at " + at + " has read")
            .atMost(Clients.PATIENCE)
            .until(() -> Files.readString(folder.resolve("read-" + at)).contains("hello"));
      }
    }

    @Override
    public void close() {
      readers.forEach(Process::destroyForcibly);
    }
  }
}
