package dev.sluice.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A proxy that was just started, and what one may ask it. */
final class ProxyProcess implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);
  private static final int OK = 200;
  private static final double NANOS = 1e9;

  /** Of any cluster, there is only one where it is asked for. */
  private static final Pattern IN_FLIGHT =
      Pattern.compile("\"(?:requestsInFlight|inFlight)\"\\s*:\\s*(\\d+)");

  private final OwnedProcess process;
  private final HttpClient http;
  private final String base;
  private final double secondsUntilReady;

  private ProxyProcess(OwnedProcess process, HttpClient http, String base, long began)
      throws IOException, InterruptedException {
    this.process = process;
    this.http = http;
    this.base = base;
    awaitReady();
    this.secondsUntilReady = (System.nanoTime() - began) / NANOS;
  }

  /** Starts it and waits until it serves. */
  static ProxyProcess start(List<String> command, Path output, int management)
      throws IOException, InterruptedException {
    var http = HttpClient.newBuilder().connectTimeout(LIMIT).build();
    long began = System.nanoTime();
    var process = OwnedProcess.start(command, output);
    try {
      return new ProxyProcess(process, http, "http://127.0.0.1:" + management, began);
    } catch (Throwable t) {
      process.close();
      throw t;
    }
  }

  double secondsUntilReady() {
    return secondsUntilReady;
  }

  private void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new IOException("Expected a proxy that serves, it said: " + process.told());
      }
      Thread.sleep(LOOK_EVERY);
    }
  }

  private boolean isReady() throws InterruptedException {
    try {
      return http.send(request("/readyz").build(), BodyHandlers.ofString()).statusCode() == OK;
    } catch (IOException _) {
      return false; // Nobody listens yet.
    }
  }

  /** Waits until so many requests are in flight. */
  void awaitInFlight(int count) throws IOException, InterruptedException {
    await(
        "%d requests in flight".formatted(count),
        body -> {
          var found = IN_FLIGHT.matcher(body);
          return found.find() && Integer.parseInt(found.group(1)) >= count;
        });
  }

  void awaitStopped() throws IOException, InterruptedException {
    await("a stopped cluster", body -> body.contains("\"stopped\""));
  }

  private void await(String what, Predicate<String> fact) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    String body = get("/api/v1/virtual-clusters/c0");
    while (!fact.test(body)) {
      if (System.nanoTime() > deadline) {
        throw new IOException("Expected %s within %s, found %s".formatted(what, LIMIT, body));
      }
      Thread.sleep(LOOK_EVERY);
      body = get("/api/v1/virtual-clusters/c0");
    }
  }

  void post(String path) throws IOException, InterruptedException {
    answer(request(path).POST(BodyPublishers.noBody()).build());
  }

  /** Returns when it is done. */
  void reload(String configuration) throws IOException, InterruptedException {
    answer(
        request("/api/v1/reload")
            .header("Content-Type", "application/yaml")
            .POST(BodyPublishers.ofString(configuration))
            .build());
  }

  private String get(String path) throws IOException, InterruptedException {
    return answer(request(path).build());
  }

  private String answer(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() != OK) {
      throw new IOException(
          "Expected %s to be answered by 200, found %d: %s"
              .formatted(request.uri(), response.statusCode(), response.body()));
    }
    return response.body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path)).timeout(LIMIT);
  }

  @Override
  public void close() {
    http.close();
    process.close();
  }
}
