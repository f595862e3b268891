package dev.sluice.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Talks to the management API of a running proxy, until it is closed. */
final class ManagementClient implements AutoCloseable {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final int FIRST_ERROR = 400;
  private static final int NOT_FOUND = 404;

  private final URI base;
  private final Optional<String> token;
  private final boolean trustIsTold;

  /** Somebody has been there. */
  private boolean hasAnswered;

  private final ObjectMapper mapper = new ObjectMapper();
  private final HttpClient http;

  /** Believes whom this machine believes. */
  ManagementClient(URI base, Optional<String> token) {
    this(base, token, Optional.empty(), false);
  }

  /**
   * @param tls what is spoken with https
   * @param trustIsTold whether that says whom to believe
   */
  ManagementClient(
      URI base, Optional<String> token, Optional<SSLContext> tls, boolean trustIsTold) {
    this.base = base;
    this.token = token;
    this.trustIsTold = trustIsTold;
    var builder = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
    tls.or(() -> isPlain(base) ? Optional.of(unspoken()) : Optional.empty())
        .ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  private static boolean isPlain(URI base) {
    return "http".equalsIgnoreCase(base.getScheme());
  }

  /**
   * In place of what the client makes even where no TLS is spoken, for which it reads all the
   * authorities that this machine believes: a tenth of the time that a command takes. Believes
   * nobody.
   */
  private static SSLContext unspoken() {
    try {
      var nobody = SSLContext.getInstance("TLS");
      nobody.init(null, new TrustManager[0], null);
      return nobody;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Expected a JDK that can speak TLS", e);
    }
  }

  JsonNode get(String path) throws InterruptedException {
    return answer(request(path).GET().build());
  }

  /** Empty where there is none (404). */
  Optional<JsonNode> find(String path) throws InterruptedException {
    var response = send(request(path).GET().build());
    return response.statusCode() == NOT_FOUND ? Optional.empty() : Optional.of(read(response));
  }

  JsonNode post(String path) throws InterruptedException {
    return answer(request(path).POST(BodyPublishers.noBody()).build());
  }

  /** What has become of something, also where it did not come to what was asked for. */
  JsonNode outcome(String path, String text) throws InterruptedException {
    var body = text.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(text);
    var response = send(request(path).POST(body).build());
    try {
      var told = mapper.readTree(response.body());
      if (told.has("outcome")) {
        return told;
      }
    } catch (JsonProcessingException _) {
      // Told by its status below.
    }
    return read(response);
  }

  /** With a text that goes along. */
  JsonNode post(String path, String text) throws InterruptedException {
    return answer(request(path).POST(BodyPublishers.ofString(text)).build());
  }

  /** Whether anybody answers. */
  boolean isThere() throws InterruptedException {
    try {
      http.send(request("/livez").GET().build(), BodyHandlers.discarding());
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /**
   * Ends its threads. One that still waits for sockets when the program ends holds it up for 300
   * ms: that long a JVM waits for threads that are in native code.
   */
  @Override
  public void close() {
    http.close();
  }

  private HttpRequest.Builder request(String path) {
    try {
      var builder = HttpRequest.newBuilder(base.resolve(path)).timeout(REQUEST_TIMEOUT);
      token.ifPresent(t -> builder.header("Authorization", "Bearer " + t));
      return builder;
    } catch (IllegalArgumentException e) {
      throw new CommandFailedException(
          "Expected a URL such as http://127.0.0.1:9190 with --management, found '" + base + "'.",
          e);
    }
  }

  private JsonNode answer(HttpRequest request) throws InterruptedException {
    return read(send(request));
  }

  private HttpResponse<String> send(HttpRequest request) throws InterruptedException {
    try {
      var response = http.send(request, BodyHandlers.ofString());
      hasAnswered = true;
      return response;
    } catch (IOException e) {
      if (hasAnswered) {
        throw new CommandFailedException(
            "Expected the proxy at "
                + base
                + " to answer until this is done, found that it has gone meanwhile; see its log for"
                + " how far it came.",
            e);
      }
      var unspoken = CallerTls.inWords(e, base, trustIsTold);
      if (unspoken.isPresent()) {
        throw new CommandFailedException(unspoken.get(), e);
      }
      throw new CommandFailedException(
          "Expected a running proxy at "
              + base
              + ", found nobody who answers; start one with 'sluice up' or 'sluice proxy', or name"
              + " another with --management.",
          e);
    }
  }

  private JsonNode read(HttpResponse<String> response) {
    if (response.statusCode() >= FIRST_ERROR) {
      throw new CommandFailedException(problem(response));
    }
    try {
      return response.body().isEmpty() ? NullNode.getInstance() : mapper.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new CommandFailedException(
          "Expected JSON from " + response.uri() + ", found something else; is it a Sluice proxy?",
          e);
    }
  }

  private String problem(HttpResponse<String> response) {
    try {
      var problem = mapper.readTree(response.body());
      if (problem.hasNonNull("detail")) {
        var lines = new ArrayList<String>();
        problem.path("findings").forEach(one -> lines.add(ReloadTable.finding(problem, one)));
        lines.add(problem.get("detail").asText());
        return String.join("\n", lines);
      }
    } catch (JsonProcessingException _) {
      // Not one of ours: told by its status below.
    }
    return "Expected an answer from "
        + response.uri()
        + ", found HTTP status "
        + response.statusCode()
        + ".";
  }
}
