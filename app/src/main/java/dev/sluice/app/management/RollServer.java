package dev.sluice.app.management;

import dev.sluice.roller.RollScribe;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.function.Supplier;

/** Answers what a roll does, on loopback, as long as it lasts. Changes nothing. */
public final class RollServer implements AutoCloseable {

  private static final String LOOPBACK = "127.0.0.1";
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
    var javalin =
        Javalin.create(
            config -> {
              ManagementServer.bound(config);
              ManagementServer.problems(config.routes);
              Dashboard.addTo(config.routes);
              config.routes.get(
                  "/livez", call -> call.contentType(JSON).result("{\"alive\":true}"));
              config.routes.get("/api/v1/rolls/current", call -> current(call, scribe));
              config.routes.get("/metrics", call -> call.contentType(METRICS).result(scrape.get()));
            });
    javalin.start(LOOPBACK, port);
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
