package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that the page offers is done without a mouse, and heard by those who do not see it. */
class DashboardKeysTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int MOST_TABS = 40;

  /** What the element that has the focus is read aloud as. */
  private static final String FOCUSED =
      "(at => at.getAttribute('aria-label') ?? at.innerText)(document.activeElement)";

  /** Gives the answer to GET of a virtual cluster another status. */
  private static final String ANSWERED =
      """
      window.asked ??= window.fetch;
      window.fetch = (path, how) => how.method === 'GET' && String(path).includes('/orders')
          ? Promise.resolve(new Response('{"detail":"It is busy."}',
              { status: %d, headers: { 'content-type': 'application/problem+json' } }))
          : window.asked.call(window, path, how);
      """;

  /** Wants a token for what changes something, and takes any. */
  private static final String GUARDED =
      """
      const plain = window.fetch;
      window.fetch = (path, how) => {
        if (how.method === 'POST') {
          window.shown = how.headers.Authorization;
          if (!window.shown) {
            return Promise.resolve(new Response('{"detail":"It wants a token."}',
                { status: 401, headers: { 'content-type': 'application/problem+json' } }));
          }
        }
        return plain.call(window, path, { ...how, headers: {} });
      };
      """;

  @TempDir private Path folder;
  private DashboardStage stage;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    stage = DashboardStage.startFor(DashboardKeysTest.class, folder);
    browser = stage.browser();
  }

  @AfterEach
  void stop() throws Exception {
    if (stage != null) {
      stage.close();
    }
  }

  @Test
  void clusters_are_drained_started_and_looked_at_by_keyboard_and_the_focus_comes_back()
      throws Exception {
    assertThat(tabTo("Plan a reload…"))
        .as("in the order in which they are seen")
        .containsSubsequence(
            "Skip to what is going on",
            "2 serving",
            "orders",
            "restart orders",
            "drain orders",
            "payments",
            "drain payments");

    tabTo("drain orders");
    browser.press(Browser.Key.ENTER);
    awaitFocus("Cancel");
    browser.press(Browser.Key.TAB);
    awaitFocus("drain");
    browser.press(Browser.Key.ENTER);
    browser.awaitText("[data-cluster=orders] .badge", "stopped");
    browser.awaitText("#heard", "orders is stopped.");
    awaitFocus("orders");

    browser.press(Browser.Key.ENTER);
    awaitFocus("Close");
    tabTo("start orders");
    browser.press(Browser.Key.ENTER);
    awaitFocus("Cancel");
    browser.press(Browser.Key.ESCAPE);
    awaitFocus("start orders");
    browser.press(Browser.Key.ENTER);
    tabTo("start");
    browser.press(Browser.Key.ENTER);
    browser.awaitText("#details-body .badge", "serving");
    browser.awaitText("#details .heard", "orders is serving.");
    assertThat(browser.evaluate("document.activeElement.closest('dialog').id").asText())
        .isEqualTo("details");
    browser.press(Browser.Key.ESCAPE);
    awaitFocus("orders");
  }

  @Test
  @Tag("acceptance")
  void a_reload_is_planned_and_done_by_keyboard_and_a_token_is_typed() throws Exception {
    browser.evaluate(GUARDED);
    stage.write("7s", stage.ports());
    tabTo("Plan a reload…");
    browser.press(Browser.Key.ENTER);
    browser.awaitText("#ask[open]", "It wants a token.");
    awaitFocus("token");
    browser.type("let me in");
    browser.press(Browser.Key.ENTER);
    browser.awaitText("#ask[open]", "Nothing is done yet.");
    tabTo("Reload");
    browser.press(Browser.Key.ENTER);
    browser.awaitText("#reload-body strong", "applied");
    assertThat(browser.evaluate("window.shown").asText()).isEqualTo("Bearer let me in");
    awaitFocus("Plan a reload…");
  }

  @Test
  @Tag("acceptance")
  void details_stay_when_they_cannot_be_renewed_and_close_when_their_cluster_is_gone()
      throws Exception {
    browser.click("[data-cluster=orders] h3 button");
    browser.awaitText("#details[open] #details-body", "History");
    browser.evaluate(ANSWERED.formatted(503));
    browser.awaitText("#details[open] .said", "Not renewed: It is busy.");
    assertThat(browser.text("#details-body")).contains("History");
    browser.evaluate(ANSWERED.formatted(404));
    browser.awaitText("#said", "There is no virtual cluster orders any more.");
    assertThat(browser.evaluate("document.getElementById('details').open").asBoolean()).isFalse();
    awaitFocus("orders");
  }

  @Test
  void what_can_be_reached_has_a_role_and_a_name_that_are_read_aloud() throws Exception {
    var page = aloud();
    assertThat(page)
        .contains(
            "heading Virtual clusters",
            "heading Reloads",
            "heading orders",
            "group Show only those in a state",
            "searchbox Name contains",
            "button restart payments",
            "list ",
            "alert ",
            "status ",
            "StaticText live")
        .noneMatch(node -> node.matches("(button|searchbox|link|textbox|summary) "));

    browser.click("[data-cluster=orders] [data-action=drain]");
    browser.awaitText("#ask[open] #ask-title", "drain orders?");
    assertThat(aloud())
        .contains("dialog drain orders?", "button Cancel", "button drain")
        .as("what lies beneath is out of reach")
        .doesNotContain("button restart payments");
    browser.click("#ask-no");

    browser.click("[data-cluster=orders] h3 button");
    browser.awaitText("#details[open] #details-title", "orders");
    assertThat(aloud())
        .contains("dialog orders", "button Close", "image The states; it is serving.");
  }

  private List<String> aloud() throws Exception {
    return StreamSupport.stream(browser.toldAloud().spliterator(), false)
        .filter(node -> !node.path("ignored").asBoolean())
        .map(node -> value(node, "role") + " " + value(node, "name"))
        .toList();
  }

  private static String value(JsonNode node, String of) {
    return node.path(of).path("value").asText();
  }

  /**
   * @return all that has had the focus on the way
   */
  private List<String> tabTo(String name) throws Exception {
    var passed = new ArrayList<String>();
    while (!focused().equals(name)) {
      assertThat(passed).as("on the way to " + name).hasSizeLessThan(MOST_TABS);
      browser.press(Browser.Key.TAB);
      passed.add(focused());
    }
    return passed;
  }

  private String focused() throws Exception {
    return browser.evaluate(FOCUSED).asText();
  }

  private void awaitFocus(String name) {
    await(name + " has the focus")
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(focused()).isEqualTo(name));
  }
}
