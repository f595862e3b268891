package dev.sluice.app.management;

import dev.sluice.lifecycle.Step;
import dev.sluice.proxy.ClientConnections;
import dev.sluice.proxy.ClusterView;
import dev.sluice.proxy.Proxy;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a person may ask of one virtual cluster. The answer says what it has begun. */
final class ClusterCalls {

  /** The longest that a call waits for the first step: a restart prepares a generation before. */
  private static final Duration STEP_LIMIT = Duration.ofSeconds(10);

  private static final QueryFlag CLOSE_CONNECTIONS = new QueryFlag("closeConnections");

  private final Proxy proxy;
  private final Permission permission;

  ClusterCalls(Proxy proxy, Permission permission) {
    this.proxy = proxy;
    this.permission = permission;
  }

  /** Something that can be asked; empty where there is no cluster of that name. */
  private interface Wish {
    Optional<CompletionStage<Step>> of(String name);
  }

  /**
   * @param cluster the path of one virtual cluster, with {@code {name}} in it
   */
  void addTo(RoutesConfig routes, String cluster) {
    routes.post(cluster + "/retry", call -> ask(call, proxy::retry, "has failed"));
    routes.post(cluster + "/drain", call -> ask(call, proxy::drain, "serves"));
    routes.post(cluster + "/start", call -> ask(call, proxy::start, "is stopped"));
    routes.post(cluster + "/restart", this::restart);
  }

  private void restart(Context call) {
    var clients = CLOSE_CONNECTIONS.isSet(call) ? ClientConnections.CLOSED : ClientConnections.KEPT;
    ask(call, name -> proxy.restart(name, clients), "serves");
  }

  private void ask(Context call, Wish wish, String expected) {
    permission.check(call);
    var name = call.pathParam("name");
    var step = await(wish.of(name).orElseThrow(() -> unknown(name)));
    switch (step) {
      case Step.Refused refused -> throw conflict(name, expected, refused.reason().sentence());
      case Step.Moved _, Step.Noted _, Step.Stayed _ ->
          ManagementRoutes.answer(call, Json.of(cluster(name)));
    }
  }

  private ProblemException conflict(String name, String expected, String why) {
    return new ProblemException(
        409,
        "Conflict",
        "Expected a virtual cluster that "
            + expected
            + ", found that "
            + name
            + " is "
            + cluster(name).life().state().kind().label()
            + ". "
            + why);
  }

  /** One virtual cluster; a problem where there is none of that name. */
  ClusterView cluster(String name) {
    return proxy.virtualCluster(name).orElseThrow(() -> unknown(name));
  }

  private ProblemException unknown(String name) {
    var known = proxy.virtualClusters().stream().map(view -> view.life().name()).toList();
    return new ProblemException(
        404,
        "Not Found",
        "Expected one of the virtual clusters "
            + String.join(", ", known)
            + ", found '"
            + name
            + "'.");
  }

  private static Step await(CompletionStage<Step> step) {
    try {
      return step.toCompletableFuture().get(STEP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("Expected a step within " + STEP_LIMIT + ", found none", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
