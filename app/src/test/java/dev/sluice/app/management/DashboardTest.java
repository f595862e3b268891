package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.ManagementSpec;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.FailurePolicy.Serve;
import dev.sluice.lifecycle.Readiness;
import dev.sluice.protocol.Endpoint;
import dev.sluice.proxy.GatewaySpec;
import dev.sluice.proxy.GatewaySpec.NodeIdRange;
import dev.sluice.proxy.LimitsSpec;
import dev.sluice.proxy.NetworkSpec;
import dev.sluice.proxy.Proxy;
import dev.sluice.proxy.ProxySpec;
import dev.sluice.proxy.VirtualClusterSpec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as a person sees it, in a real browser. Pictures are kept in target/screenshots. */
class DashboardTest {

  /** An address that no machine has (RFC 5737): nothing can be bound to it. */
  private static final String ELSEWHERE = "192.0.2.1";

  private static final int NARROW = 390;
  private static final int HIGH = 844;
  private static final Path PICTURES = Path.of("target", "screenshots");

  @TempDir private Path directory;
  private final List<AutoCloseable> opened = new ArrayList<>();

  private Browser browser;

  @BeforeEach
  void startBrowser() throws Exception {
    browser = Browser.startFor(DashboardTest.class, directory);
  }

  @AfterEach
  void close() throws Exception {
    for (var one : opened.reversed()) {
      one.close();
    }
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void a_failed_cluster_is_shown_with_its_reason_and_retried_from_the_page() throws Exception {
    var first = Ports.consecutive(4);
    var busy = Ports.occupy(first + 2);
    opened.add(busy);
    browser.open(serve(List.of(cluster("orders", first), cluster("payments", first + 2))));

    browser.awaitText("[data-cluster=payments]", "failed");
    browser.awaitText("[data-cluster=payments] .failure", Integer.toString(first + 2));
    browser.awaitText("#proxy", "partial");
    browser.awaitText("#live[data-live=yes]", "live");
    assertThat(browser.text("#cards li")).as("trouble comes first").contains("payments");
    browser.screenshot(PICTURES.resolve("failed.png"));

    busy.close();
    browser.click("[data-cluster=payments] [data-action=retry]");
    browser.awaitText("#ask-title", "retry payments?");
    browser.click("#ask button[value=yes]");

    browser.awaitText("[data-cluster=payments] .badge", "serving");
    browser.awaitText("#proxy", "serving");
    browser.click("[data-cluster=payments] h3 button");
    browser.awaitText("#details-body .timeline", "failed → initializing");
    assertThat(browser.text(".diagram .now")).isEqualTo("serving");
    assertThat(drawn()).containsExactlyInAnyOrderElementsOf(ways());
    assertThat(browser.text("#live")).isEqualTo("live");
    browser.screenshot(PICTURES.resolve("details.png"));
    browser.prefer("dark");
    browser.screenshot(PICTURES.resolve("details-dark.png"));
  }

  @Test
  void nothing_is_loaded_from_elsewhere_and_every_control_can_be_read_aloud() throws Exception {
    var port = Ports.consecutive(2);
    browser.open(serve(List.of(cluster("orders", port))));
    browser.awaitText("#cards", "orders");

    var loaded =
        browser.evaluate(
            "performance.getEntriesByType('resource').every("
                + "each => new URL(each.name).origin === location.origin)");
    assertThat(loaded.asBoolean()).isTrue();
    // Every control has a name that can be read aloud.
    var nameless =
        browser.evaluate(
            "[...document.querySelectorAll('button, input')].filter(each => !("
                + "each.innerText || each.getAttribute('aria-label') || each.labels?.length))"
                + ".length");
    assertThat(nameless.asInt()).isZero();
  }

  @Test
  void five_hundred_clusters_are_shown_and_found() throws Exception {
    var port = Ports.consecutive(2);
    var clusters = new ArrayList<VirtualClusterSpec>();
    for (int i = 0; i < 500; i++) {
      clusters.add(cluster("tenant-%03d".formatted(i), ELSEWHERE, port));
    }
    browser.open(serve(clusters));

    browser.awaitText("#counts", "500 failed");
    var filtered =
        browser.evaluate(
            """
            new Promise(done => {
              const field = document.getElementById('filter');
              field.value = 'tenant-42';
              const begin = performance.now();
              field.dispatchEvent(new Event('input'));
              requestAnimationFrame(() => done(
                  [document.querySelectorAll('.card').length, performance.now() - begin]));
            })""");
    assertThat(filtered.get(0).asInt()).isEqualTo(10);
    browser.screenshot(PICTURES.resolve("many.png"));
    browser.resize(NARROW, HIGH);
    browser.screenshot(PICTURES.resolve("many-narrow.png"));
  }

  /** From one state to another, as the page draws them. */
  private List<String> drawn() throws Exception {
    var drawn = new ArrayList<String>();
    browser
        .evaluate("[...document.querySelectorAll('[data-way]')].map(each => each.dataset.way)")
        .forEach(way -> drawn.add(way.asText()));
    drawn.remove("serving serving");
    return drawn;
  }

  /** The same, as the lifecycle's own page has them. */
  private static List<String> ways() throws IOException {
    var page = Files.readString(Path.of("..", "docs", "generated", "lifecycle.md"));
    return Pattern.compile("^    (\\w+) --> (\\w+):", Pattern.MULTILINE)
        .matcher(page)
        .results()
        .filter(way -> !way.group(1).equals(way.group(2)))
        .map(way -> way.group(1) + " " + way.group(2))
        .toList();
  }

  private String serve(List<VirtualClusterSpec> clusters) throws Exception {
    var registry = new SimpleMeterRegistry();
    var proxy =
        Proxy.start(
            new ProxySpec(
                NetworkSpec.DEFAULT,
                new FailurePolicy(Serve.REMAINING, Optional.empty()),
                clusters),
            registry,
            Clock.systemUTC(),
            (_, _, _) -> {});
    opened.add(
        () -> proxy.stop("the test is over").toCompletableFuture().get(60, TimeUnit.SECONDS));
    var server =
        ManagementServer.start(
            ManagementDoor.of(
                new ManagementSpec(
                    "127.0.0.1",
                    0,
                    Optional.empty(),
                    Optional.empty(),
                    Readiness.Policy.ALL,
                    false)),
            Duration.ofSeconds(15),
            proxy,
            Reloaders.withoutFile(proxy),
            () -> "");
    opened.add(server);
    return "http://127.0.0.1:" + server.port() + "/";
  }

  private static VirtualClusterSpec cluster(String name, int port) {
    return cluster(name, "127.0.0.1", port);
  }

  private static VirtualClusterSpec cluster(String name, String bindAddress, int port) {
    var gateway =
        new GatewaySpec(
            "local",
            Optional.of(bindAddress),
            new Endpoint("localhost", port),
            port + 1,
            List.of(new NodeIdRange("default", 0, 0)),
            "localhost");
    return new VirtualClusterSpec(
        name,
        Duration.ofSeconds(1),
        List.of(new Endpoint("127.0.0.1", 1)),
        List.of(gateway),
        LimitsSpec.DEFAULT);
  }
}
