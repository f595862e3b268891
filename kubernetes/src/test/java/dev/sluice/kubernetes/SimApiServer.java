package dev.sluice.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An API server of which a test says what it refuses. Objects are kept and watched; nobody acts on
 * them: see {@link SimKubelet}.
 */
public final class SimApiServer implements AutoCloseable {

  private static final Pattern POD =
      Pattern.compile("/api/v1/namespaces/[^/]+/pods/([^/?]+)(/eviction|/log)?(\\?.*)?");
  private static final Pattern WANTED_UID = Pattern.compile("\"uid\"\\s*:\\s*\"([^\"]+)\"");

  /** It tells of every request. */
  private static final Logger CHATTER = Logger.getLogger(MockWebServer.class.getName());

  private final Queue<Asked> requests = new ConcurrentLinkedQueue<>();
  private final Map<String, MockResponse> refusals = new ConcurrentHashMap<>();
  private final Map<String, Queue<MockResponse>> next = new ConcurrentHashMap<>();
  private final Map<String, String> logs = new ConcurrentHashMap<>();
  private final KubernetesMockServer server;
  private volatile Optional<String> evictionForbidden = Optional.empty();
  private volatile String evictionVersion = "v1";

  /**
   * A request.
   *
   * @param line {@code METHOD path}
   * @param by its credentials, or nothing
   */
  private record Asked(String line, String by) {}

  /** Starts on a free port. */
  public SimApiServer() {
    CHATTER.setLevel(Level.WARNING);
    server =
        new KubernetesMockServer(
            new Context(), new MockWebServer(), new HashMap<>(), new Dispatching(), false);
    server.init();
  }

  /** A client without patience. */
  public KubernetesClient client() {
    return new KubernetesClientBuilder().withConfig(config()).build();
  }

  /** The same of somebody whose requests are told apart. */
  KubernetesClient client(String token) {
    return KubernetesCluster.client(new ConfigBuilder(config()).withOauthToken(token).build());
  }

  private Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl(url())
        .withNamespace(SimKubelet.NAMESPACE)
        .withRequestRetryBackoffLimit(1)
        .withRequestRetryBackoffInterval(10)
        .build();
  }

  public String url() {
    return "http://" + server.getHostName() + ":" + server.getPort();
  }

  /** What was asked for so far, as {@code METHOD path}. */
  public List<String> requests() {
    return requests.stream().map(Asked::line).toList();
  }

  /** What somebody with this token asked for so far. */
  List<String> requestsOf(String token) {
    return requests.stream()
        .filter(each -> each.by().equals("Bearer " + token))
        .map(Asked::line)
        .toList();
  }

  /** Requests whose {@code METHOD path} begins so are answered with a status, until allowed. */
  public void refuse(String beginning, int code, String message) {
    refusals.put(beginning, status(code, message));
  }

  public void allow(String beginning) {
    refusals.remove(beginning);
  }

  /**
   * The next request whose {@code METHOD path} has this in it is answered so; one after another
   * when it is said more often.
   */
  public void answerNext(String part, int code, Map<String, String> headers, String body) {
    MockResponse answer =
        new MockResponse()
            .setResponseCode(code)
            .setHeader("Content-Type", "application/json")
            .setBody(body);
    headers.forEach(answer::setHeader);
    next.computeIfAbsent(part, _ -> new ConcurrentLinkedQueue<>()).add(answer);
  }

  /** The body of a refusal. */
  public static String failure(int code, String message) {
    return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":%d,\"message\":\"%s\"}"
        .formatted(code, message);
  }

  private Optional<MockResponse> awaiting(String line) {
    return next.entrySet().stream()
        .filter(each -> line.contains(each.getKey()))
        .map(each -> each.getValue().poll())
        .filter(java.util.Objects::nonNull)
        .findFirst();
  }

  /** Evictions are answered with 429. */
  public void forbidEvictions(String message) {
    evictionForbidden = Optional.of(message);
  }

  public void allowEvictions() {
    evictionForbidden = Optional.empty();
  }

  /** Behaves as a server from before 1.22. */
  public void knowsEvictionsOf(String version) {
    evictionVersion = version;
  }

  public void says(String pod, String log) {
    logs.put(pod, log);
  }

  /** One that hangs over a watch that was cut as it began ends by itself, half a minute later. */
  @Override
  public void close() {
    try {
      server.destroy();
    } catch (IllegalStateException e) {
      System.err.println("A mock of an API server is still closing: " + e.getMessage());
    }
  }

  private static MockResponse status(int code, String message) {
    return new MockResponse()
        .setResponseCode(code)
        .setHeader("Content-Type", "application/json")
        .setBody(failure(code, message));
  }

  private static MockResponse json(String body) {
    return new MockResponse()
        .setResponseCode(200)
        .setHeader("Content-Type", "application/json")
        .setBody(body);
  }

  private final class Dispatching extends KubernetesCrudDispatcher {

    Dispatching() {
      super(
          List.of(
              context("core.strimzi.io", "StrimziPodSet", "strimzipodsets"),
              context("kafka.strimzi.io", "Kafka", "kafkas")));
    }

    private static CustomResourceDefinitionContext context(
        String group, String kind, String plural) {
      return new CustomResourceDefinitionContext.Builder()
          .withGroup(group)
          .withVersion("v1beta2")
          .withKind(kind)
          .withPlural(plural)
          .withScope("Namespaced")
          .build();
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
      String line = request.getMethod() + " " + request.getPath();
      requests.add(new Asked(line, String.valueOf(request.getHeader("Authorization"))));
      Optional<MockResponse> awaiting = awaiting(line);
      if (awaiting.isPresent()) {
        return awaiting.get();
      }
      for (var refusal : refusals.entrySet()) {
        if (line.startsWith(refusal.getKey())) {
          return refusal.getValue();
        }
      }
      return special(request, line).orElseGet(() -> super.dispatch(request));
    }

    private Optional<MockResponse> special(RecordedRequest request, String line) {
      if (line.equals("GET /api/v1")) {
        return Optional.of(
            json(
                "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":[{\"name\":\"pods/eviction\",\"group\":\"policy\",\"version\":\"%s\",\"kind\":\"Eviction\",\"namespaced\":true,\"verbs\":[\"create\"]}]}"
                    .formatted(evictionVersion)));
      }
      Matcher pod = POD.matcher(request.getPath());
      if (!pod.matches()) {
        return Optional.empty();
      }
      if ("/log".equals(pod.group(2))) {
        String log = logs.getOrDefault(pod.group(1), "");
        return Optional.of(new MockResponse().setResponseCode(200).setBody(log));
      }
      return switch (request.getMethod()) {
        case "POST" -> Optional.of(evicted(request, pod.group(1)));
        case "DELETE" -> objection(request, pod.group(1));
        default -> Optional.empty();
      };
    }

    private MockResponse evicted(RecordedRequest request, String pod) {
      if (!request.getUtf8Body().contains("policy/" + evictionVersion)) {
        return status(400, "no kind Eviction is registered for this version");
      }
      Optional<MockResponse> objection =
          evictionForbidden
              .map(why -> status(ApiException.TOO_MANY_REQUESTS, why))
              .or(() -> objection(request, pod));
      return objection.orElseGet(
          () -> {
            handleDelete(request.getPath().replace("/eviction", ""));
            return status(201, "evicted").setResponseCode(201);
          });
    }

    /** A precondition that does not hold. */
    private Optional<MockResponse> objection(RecordedRequest request, String pod) {
      Matcher wanted = WANTED_UID.matcher(request.getUtf8Body());
      String path = request.getPath().replace("/eviction", "");
      MockResponse found = handleGet(path);
      if (found.code() == ApiException.NOT_FOUND) {
        return Optional.of(status(ApiException.NOT_FOUND, "pods " + pod + " not found"));
      }
      return wanted.find()
              && !new String(found.getBody().getBytes(), StandardCharsets.UTF_8)
                  .contains(wanted.group(1))
          ? Optional.of(status(ApiException.CONFLICT, "the uid does not match"))
          : Optional.empty();
    }
  }
}
