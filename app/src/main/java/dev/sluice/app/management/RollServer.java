package dev.sluice.app.management;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.roller.RollScribe;
import io.javalin.Javalin;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Answers what a roll does, on loopback, as long as it lasts. Changes nothing. */
public final class RollServer implements AutoCloseable {

  private static final String LOOPBACK = "127.0.0.1";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final String JSON = "application/json";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final Javalin javalin;

  private RollServer(Javalin javalin) {
    this.javalin = javalin;
  }

  /**
   * Listens.
   *
   * @param port 0 takes a free one
   * @param scrape the metrics in Prometheus' text format
   * @throws io.javalin.util.JavalinBindException if the port is in use
   */
  public static RollServer start(int port, RollScribe scribe, Supplier<String> scrape) {
    return start(
        LOOPBACK,
        port,
        scribe,
        scrape,
        routes -> routes.get("/livez", call -> call.contentType(JSON).result("{\"alive\":true}")));
  }

  /**
   * Listens, and answers how a roller is that serves: {@code /livez} fails when its thread hangs,
   * {@code /readyz} when its last look or wait failed.
   *
   * @param host address of this machine; whoever can reach it can see everything, and change
   *     nothing
   */
  public static RollServer start(
      String host, int port, RollScribe scribe, Supplier<String> scrape, ServeHealth health) {
    return start(
        host,
        port,
        scribe,
        scrape,
        routes -> {
          routes.get("/livez", call -> told(call, health, health.alive()));
          routes.get("/readyz", call -> told(call, health, health.alive() && health.said().well()));
        });
  }

  private static void told(Context call, ServeHealth health, boolean well) {
    var said = health.said();
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("alive", health.alive())
            .put("acts", said.acts())
            .put("well", said.well())
            .put("at", said.at().toString())
            .put("what", said.what());
    call.status(well ? OK : UNAVAILABLE).contentType(JSON).result(Json.text(node));
  }

  private static RollServer start(
      String host,
      int port,
      RollScribe scribe,
      Supplier<String> scrape,
      Consumer<RoutesConfig> more) {
    var javalin =
        Javalin.create(
            config -> {
              ManagementServer.bound(config);
              ManagementServer.problems(config.routes);
              Dashboard.addTo(config.routes);
              more.accept(config.routes);
              config.routes.get("/api/v1/rolls/current", call -> current(call, scribe));
              config.routes.get("/metrics", call -> call.contentType(METRICS).result(scrape.get()));
            });
    javalin.start(host, port);
    return new RollServer(javalin);
  }

  /** The port that it listens on. */
  public int port() {
    return javalin.port();
  }

  private static void current(Context call, RollScribe scribe) {
    var current = scribe.current();
    if (current.isEmpty()) {
      throw new ProblemException(
          404, "Not Found", "Expected a roll under way, found none that has looked yet.");
    }
    call.contentType(JSON).result(Json.text(RollJson.of(current.get())));
  }

  @Override
  public void close() {
    javalin.stop();
  }
}
