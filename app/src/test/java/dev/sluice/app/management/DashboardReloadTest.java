package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reloads from the page, and what it shows of them. Pictures are kept in target/screenshots. */
class DashboardReloadTest {

  private static final Path PICTURES = Path.of("target", "screenshots");

  @TempDir private Path directory;
  private DashboardStage stage;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    stage = DashboardStage.startFor(DashboardReloadTest.class, directory);
    browser = stage.browser();
  }

  @AfterEach
  void stop() throws Exception {
    if (stage != null) {
      stage.close();
    }
  }

  @Test
  void a_reload_is_planned_done_refused_and_failed_from_the_page() throws Exception {
    browser.awaitText("#reload-body", "None since this proxy was started.");
    stage.write("7s", stage.ports());
    plan("Reload the configuration?");
    assertThat(browser.text("#ask-body tbody")).contains("orders", "drainTimeout", "in-place");
    assertThat(browser.text("#ask-body")).contains("One is left as it is.");
    assertThat(generation()).as("nothing is done yet").isEqualTo("1");
    browser.screenshot(PICTURES.resolve("reload-plan.png"));
    browser.click("#ask-yes");
    browser.awaitText("#reload-body strong", "applied");
    browser.awaitText("[data-cluster=orders] .numbers dd", "2");

    stage.write("soon", stage.ports());
    plan("This would not be taken");
    assertThat(browser.text("#ask-body tbody")).contains("virtualClusters[0].drainTimeout", "4:");
    assertThat(browser.evaluate("document.getElementById('ask-yes').hidden").asBoolean()).isTrue();
    browser.screenshot(PICTURES.resolve("reload-refused.png"));
    browser.click("#ask-no");

    try (var _ = Ports.occupy(stage.ports() + 4)) {
      stage.write("7s", stage.ports() + 4);
      plan("Reload the configuration?");
      browser.click("#ask-yes");
      browser.awaitText("#reload-body strong", "failed");
    }
    assertThat(browser.text("#reload-body tbody")).contains("kept", "" + (stage.ports() + 4));
    assertThat(generation()).as("what ran runs on").isEqualTo("2");
    browser.awaitText("#reload-body summary", "applied");
    browser.click("#reload-body summary");
    browser.resize(1280, 1100);
    browser.screenshot(PICTURES.resolve("reloads.png"));
    browser.prefer("dark");
    browser.screenshot(PICTURES.resolve("reloads-dark.png"));
  }

  private void plan(String title) throws Exception {
    browser.click("#reload-plan");
    browser.awaitText("#ask[open] #ask-title", title);
  }

  private String generation() throws Exception {
    return browser.text("[data-cluster=orders] .numbers dd");
  }
}
