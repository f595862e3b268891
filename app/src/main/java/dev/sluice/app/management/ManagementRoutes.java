package dev.sluice.app.management;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.app.configuration.ManagementSpec;
import dev.sluice.app.reload.Reloader;
import dev.sluice.lifecycle.Readiness;
import dev.sluice.proxy.Proxy;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Objects;
import java.util.function.Supplier;

/** What is answered where. */
final class ManagementRoutes {

  private static final String CLUSTERS = "/api/v1/virtual-clusters";
  private static final String CLUSTER = CLUSTERS + "/{name}";

  /** How much of a body that is too large is taken in before it is refused. */
  private static final int MAX_DISCARDED_BYTES = 256 * 1024;

  private static final int MAX_BODY_BYTES = 16 * 1024;
  private static final String JSON = "application/json";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final Proxy proxy;
  private final Readiness.Policy policy;
  private final Duration shutdownTimeout;
  private final Permission permission;
  private final EventStreams events;
  private final Reloader reloader;
  private final Clock clock;

  ManagementRoutes(
      ManagementSpec spec,
      Duration shutdownTimeout,
      Proxy proxy,
      Reloader reloader,
      EventStreams events) {
    this.proxy = proxy;
    this.policy = spec.readiness();
    this.shutdownTimeout = shutdownTimeout;
    this.permission = new Permission(spec.tokenFile());
    this.events = events;
    this.reloader = reloader;
    this.clock = Clock.systemUTC();
  }

  void addTo(RoutesConfig routes) {
    routes.before(permission::checkHost);
    routes.before(ManagementRoutes::checkBody);
    routes.get("/livez", call -> answer(call, Json.object().put("alive", true)));
    routes.get("/readyz", this::readyz);
    routes.get(CLUSTERS, call -> answer(call, snapshot()));
    var calls = new ClusterCalls(proxy, permission);
    routes.get(
        CLUSTER, call -> answer(call, Json.withHistory(calls.cluster(call.pathParam("name")))));
    calls.addTo(routes, CLUSTER);
    routes.post("/api/v1/stop", this::stop);
    new ReloadRoutes(reloader, permission).addTo(routes);
    routes.get("/api/v1/events", call -> events.serve(call, this::snapshot));
    routes.get("/openapi.json", call -> call.contentType(JSON).result(openApi()));
  }

  /**
   * @param scrape the metrics in Prometheus' text format
   */
  static void addMetrics(RoutesConfig routes, Supplier<String> scrape) {
    routes.get("/metrics", call -> call.contentType(METRICS).result(scrape.get()));
  }

  /** No call but a reload has anything to say in its body: it is never read. */
  private static void checkBody(Context call) {
    int most =
        call.path().equals(ReloadRoutes.RELOAD) ? ReloadRoutes.MAX_BODY_BYTES : MAX_BODY_BYTES;
    if (call.header("Transfer-Encoding") != null) {
      discardBody(call);
      throw new ProblemException(
          411,
          "Length Required",
          "Expected a body whose length is told before (Content-Length), found one that is sent in"
              + " pieces.");
    }
    if (call.contentLength() > most) {
      discardBody(call);
      throw new ProblemException(
          413,
          "Content Too Large",
          "Expected a body of at most " + most + " bytes, found " + call.contentLength() + ".");
    }
  }

  /**
   * Takes in, within a bound, what the client is still sending: a connection that is closed with
   * bytes unread is reset, and the answer would be lost with it.
   */
  private static void discardBody(Context call) {
    try {
      var _ = call.bodyInputStream().readNBytes(MAX_DISCARDED_BYTES);
    } catch (IOException | RuntimeException _) {
      // It has ended early: as good as read.
    }
  }

  private void readyz(Context call) {
    var readiness = readiness();
    var node = Json.object().put("ready", readiness.ready());
    node.set("reasons", Json.array(readiness.reasons()));
    call.status(readiness.ready() ? 200 : 503);
    answer(call, node);
  }

  private Readiness readiness() {
    var readiness = Readiness.of(policy, proxy.lives(), clock.instant());
    if (!proxy.isStopping()) {
      return readiness;
    }
    var reasons = new ArrayList<>(readiness.reasons());
    reasons.addFirst("The proxy shuts down.");
    return new Readiness(false, reasons);
  }

  private JsonNode snapshot() {
    var node = Json.of(proxy, readiness());
    node.set("configuration", ReloadJson.of(reloader.origin()));
    return node;
  }

  private void stop(Context call) {
    permission.check(call);
    proxy.stop("asked through the management API");
    call.status(202);
    answer(call, Json.object().put("within", shutdownTimeout.toString()));
  }

  static void answer(Context call, JsonNode node) {
    call.contentType(JSON).result(Json.text(node));
  }

  private static String openApi() throws IOException {
    try (var in = ManagementRoutes.class.getResourceAsStream("openapi.json")) {
      return new String(
          Objects.requireNonNull(in, "openapi.json").readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
