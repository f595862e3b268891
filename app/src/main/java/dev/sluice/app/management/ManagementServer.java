package dev.sluice.app.management;

import dev.sluice.app.reload.Reloader;
import dev.sluice.proxy.Proxy;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The management API of a running proxy. */
public final class ManagementServer implements AutoCloseable {

  private static final int MAX_HEADER_BYTES = 8 * 1024;
  private static final int MAX_CONNECTIONS = 512;

  /** A connection on which no byte moves for so long is closed; longer than events are silent. */
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

  private static final String PROBLEM = "application/problem+json";
  private static final Logger LOG = LoggerFactory.getLogger(ManagementServer.class);

  private final Javalin javalin;
  private final EventStreams events;
  private final DrainEvents drains;

  private ManagementServer(Javalin javalin, EventStreams events, DrainEvents drains) {
    this.javalin = javalin;
    this.events = events;
    this.drains = drains;
  }

  /**
   * Listens.
   *
   * @param door where, and how it is spoken with
   * @param shutdownTimeout the longest that a graceful shutdown of the proxy takes
   * @param reloader takes another configuration, if it is asked to
   * @param scrape the metrics in Prometheus' text format
   * @throws io.javalin.util.JavalinBindException if the address is in use
   */
  public static ManagementServer start(
      ManagementDoor door,
      Duration shutdownTimeout,
      Proxy proxy,
      Reloader reloader,
      Supplier<String> scrape) {
    var spec = door.spec();
    var events = new EventStreams();
    var routes = new ManagementRoutes(spec, shutdownTimeout, proxy, reloader, events);
    var javalin =
        Javalin.create(
            config -> {
              bound(config);
              door.addTo(config);
              routes.addTo(config.routes);
              Dashboard.addTo(config.routes);
              if (spec.prometheus()) {
                ManagementRoutes.addMetrics(config.routes, scrape);
              }
              problems(config.routes);
            });
    javalin.start(spec.bindAddress(), spec.port());
    // Under serve: none the end may have been logged already.
    (proxy.isStopping() ? LOG.atDebug() : LOG.atInfo())
        .addKeyValue("bindAddress", spec.bindAddress())
        .addKeyValue("port", javalin.port())
        .addKeyValue("scheme", spec.scheme())
        .log("Management API listens");
    if (spec.isOverheard()) {
      LOG.atWarn()
          .addKeyValue("bindAddress", spec.bindAddress())
          .log(
              "The management API is spoken with in plain text from other machines: whoever listens"
                  + " on the way reads all of it, tokens included, and can use them; set"
                  + " management.tls, or listen on loopback");
    }
    var _ = proxy.listen(events);
    reloader.listen(events);
    var drains = new DrainEvents(proxy, events::tell);
    drains.start();
    return new ManagementServer(javalin, events, drains);
  }

  /** The port that it listens on. */
  public int port() {
    return javalin.port();
  }

  /** What is answered beside the page for people, such as {@code GET /livez}. */
  List<String> routes() {
    return javalin.unsafe.internalRouter.allHttpHandlers().stream()
        .filter(handler -> handler.endpoint.method.isHttpMethod())
        .filter(handler -> !Dashboard.serves(handler.endpoint.path))
        .map(handler -> handler.endpoint.method.name() + " " + handler.endpoint.path)
        .toList();
  }

  static void bound(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = true;
    config.http.prefer405over404 = true;
    config.jetty.modifyHttpConfiguration(
        http -> {
          http.setRequestHeaderSize(MAX_HEADER_BYTES);
          http.setIdleTimeout(IDLE_TIMEOUT.toMillis());
          http.setSendServerVersion(false);
        });
    config.jetty.modifyServer(
        server -> {
          server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
          server.setErrorHandler(new ProblemPages());
        });
  }

  static void problems(RoutesConfig routes) {
    routes.exception(
        ProblemException.class,
        (e, call) -> call.status(e.status()).contentType(PROBLEM).result(e.body()));
    routes.exception(
        HttpResponseException.class,
        (e, call) -> problem(call, e.getStatus(), title(e), String.valueOf(e.getMessage())));
    routes.exception(
        Exception.class,
        (e, call) -> {
          LOG.atError().setCause(e).addKeyValue("path", call.path()).log("A call failed");
          problem(call, 500, "Internal Server Error", "Found an unexpected failure; see the log.");
        });
  }

  private static String title(HttpResponseException e) {
    return switch (e.getStatus()) {
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 413 -> "Content Too Large";
      default -> e.getClass().getSimpleName().replace("Response", "").toLowerCase(Locale.ROOT);
    };
  }

  private static void problem(Context call, int status, String title, String detail) {
    call.status(status).contentType(PROBLEM).result(ProblemException.body(status, title, detail));
  }

  /** Ends the streams of events and stops to listen. For the end of the proxy that it shows. */
  @Override
  public void close() {
    drains.close();
    events.close();
    javalin.stop();
  }
}
