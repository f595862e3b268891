package dev.sluice.app.management;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.planner.Plan;
import dev.sluice.roller.Actuator.Performed;
import dev.sluice.roller.Look;
import dev.sluice.roller.Outcome;
import dev.sluice.roller.RollListener;
import dev.sluice.roller.RollScribe;
import io.javalin.Javalin;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Answers what a roll does, on loopback, as long as it lasts. Changes nothing. Whoever follows it
 * is told of every step that it hears of itself, after the scribe.
 */
public final class RollServer implements RollListener, AutoCloseable {

  private static final String LOOPBACK = "127.0.0.1";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final String JSON = "application/json";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final Javalin javalin;
  private final EventStreams events;
  private final RollScribe scribe;

  private RollServer(Javalin javalin, EventStreams events, RollScribe scribe) {
    this.javalin = javalin;
    this.scribe = scribe;
    this.events = events;
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
    var events = new EventStreams();
    var javalin =
        Javalin.create(
            config -> {
              ManagementServer.bound(config);
              ManagementServer.problems(config.routes);
              Dashboard.addTo(config.routes);
              more.accept(config.routes);
              config.routes.get("/api/v1/rolls/current", call -> current(call, scribe));
              config.routes.get("/api/v1/events", call -> events.serve(call, RollServer::greeting));
              config.routes.get("/metrics", call -> call.contentType(METRICS).result(scrape.get()));
            });
    javalin.start(host, port);
    return new RollServer(javalin, events, scribe);
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

  /** Whoever comes asks for the rest. */
  private static ObjectNode greeting() {
    return JsonNodeFactory.instance.objectNode().put("rolls", true);
  }

  @Override
  public void decided(Look look, Plan plan) {
    tell(plan);
  }

  @Override
  public void acting(Plan.Act act) {
    tell(act);
  }

  @Override
  public void acted(Plan.Act act, List<Performed> performed) {
    tell(act);
  }

  /** The whole of it: with the process there may soon be nobody to ask. */
  @Override
  public void ended(Outcome outcome) {
    scribe.current().ifPresent(current -> events.tell("roll", RollJson.of(current)));
  }

  private void tell(Plan plan) {
    events.tell(
        "roll",
        JsonNodeFactory.instance
            .objectNode()
            .put("at", plan.at().toString())
            .put("plan", plan.sentence()));
  }

  @Override
  public void close() {
    events.finish();
    javalin.stop();
  }
}
