package dev.sluice.app.management;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one page, driven through its DevTools protocol. */
public final class Browser implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** How long it may take to end by itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final WebSocket socket;

  private Browser(Process process, Path profile) throws Exception {
    this.process = process;
    try {
      var port = port(profile);
      var pages = MAPPER.readTree(body("http://127.0.0.1:" + port + "/json/list"));
      var page = pages.findValue("webSocketDebuggerUrl").asText();
      socket =
          http.newWebSocketBuilder()
              .buildAsync(URI.create(page), new Answers())
              .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /**
   * Starts it; where it is not installed the test is skipped, and a line says so.
   *
   * @param folder where it may write
   */
  public static Browser startFor(Class<?> test, Path folder) throws Exception {
    var program = program();
    if (program.isEmpty()) {
      System.err.println(
          "SKIPPED: " + test.getSimpleName() + ", chromium is not installed (Debian package)");
    }
    assumeTrue(program.isPresent(), "chromium");
    return start(program.orElseThrow(), folder);
  }

  /** Where Chromium is installed, if it is. */
  private static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(":"))
        .flatMap(folder -> Stream.of("chromium", "google-chrome").map(Path.of(folder)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Browser start(Path program, Path folder) throws Exception {
    var profile = Files.createDirectories(folder.resolve("profile"));
    var process =
        new ProcessBuilder(
                List.of(
                    program.toString(),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--no-first-run",
                    "--remote-debugging-port=0",
                    "--user-data-dir=" + profile,
                    "--window-size=1280,900",
                    "about:blank"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("chromium.log").toFile())
            .start();
    return new Browser(process, profile);
  }

  private static int port(Path profile) {
    var told = profile.resolve("DevToolsActivePort");
    Awaitility.await("Chromium tells its port").atMost(LIMIT).until(() -> Files.exists(told));
    return Awaitility.await("the port is in the file")
        .atMost(LIMIT)
        .until(
            () -> Files.readAllLines(told).stream().findFirst().map(Integer::parseInt).orElse(0),
            port -> port > 0);
  }

  private String body(String uri) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString())
        .body();
  }

  /** Opens an address. */
  public void open(String uri) throws Exception {
    call("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
    call("Page.navigate", Map.of("url", uri));
  }

  /** Opens an address as soon as somebody answers there. */
  public void awaitPage(String uri) throws Exception {
    Awaitility.await(uri).atMost(LIMIT).ignoreExceptions().until(() -> !body(uri).isEmpty());
    open(uri);
  }

  /** What an expression comes to; a promise is waited for. */
  public JsonNode evaluate(String expression) throws Exception {
    var answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(
          "Expected " + expression + " to be evaluated, found " + answer.get("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  /** The text of the first element that matches; empty where there is none. */
  public String text(String selector) throws Exception {
    return evaluate(
            "(each => each?.innerText ?? each?.textContent ?? '')(document.querySelector("
                + quoted(selector)
                + "))")
        .asText();
  }

  public void click(String selector) throws Exception {
    evaluate("document.querySelector(" + quoted(selector) + ").click()");
  }

  /** A key that a person has who does without a mouse. */
  public enum Key {
    TAB("Tab", 9, ""),
    ENTER("Enter", 13, "\r"),
    ESCAPE("Escape", 27, "");

    private final String code;
    private final int number;
    private final String text;

    Key(String code, int number, String text) {
      this.code = code;
      this.number = number;
      this.text = text;
    }
  }

  public void press(Key key) throws Exception {
    for (var type : List.of(key.text.isEmpty() ? "rawKeyDown" : "keyDown", "keyUp")) {
      call(
          "Input.dispatchKeyEvent",
          Map.of(
              "type",
              type,
              "key",
              key.code,
              "code",
              key.code,
              "windowsVirtualKeyCode",
              key.number,
              "text",
              type.equals("keyUp") ? "" : key.text));
    }
  }

  /** Types a text into what has the focus. */
  public void type(String text) throws Exception {
    call("Input.insertText", Map.of("text", text));
  }

  /** What a screen reader is told: every node of the page with its role, name and properties. */
  public JsonNode toldAloud() throws Exception {
    return call("Accessibility.getFullAXTree", Map.of()).get("nodes");
  }

  /** Waits until the first element that matches says this. */
  public void awaitText(String selector, String text) {
    Awaitility.await(selector + " says " + text)
        .atMost(LIMIT)
        // Nobody answers for a page that just gives way to another.
        .ignoreExceptionsInstanceOf(ExecutionException.class)
        .untilAsserted(() -> Assertions.assertThat(text(selector)).contains(text));
  }

  /** How large the window is, in pixels. */
  public void resize(int width, int height) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Keeps a picture of the page. */
  public void screenshot(Path file) throws Exception {
    var data = call("Page.captureScreenshot", Map.of("format", "png")).get("data").asText();
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(data.getBytes(StandardCharsets.US_ASCII)));
  }

  /** Dark or light. */
  public void prefer(String scheme) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  private static String quoted(String text) throws IOException {
    return MAPPER.writeValueAsString(text);
  }

  private JsonNode call(String method, Map<String, Object> parameters) throws Exception {
    var id = ids.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    asked.put(id, answer);
    var text = MAPPER.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
    socket.sendText(text, true).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    // Asked first, so that it tidies up after itself.
    var _ = socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true);
    process.onExit().completeOnTimeout(process, PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    socket.abort();
    http.shutdownNow();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private final class Answers implements WebSocket.Listener {

    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        heard(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    private void heard(String message) {
      try {
        var told = MAPPER.readTree(message);
        var waiting = asked.remove(told.path("id").asInt());
        if (waiting != null) {
          if (told.has("error")) {
            waiting.completeExceptionally(new IOException(told.get("error").toString()));
          } else {
            waiting.complete(told.get("result"));
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
