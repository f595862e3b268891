package dev.sluice.app.management;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.reload.ReloadResult;
import dev.sluice.app.reload.ReloadResult.Ending;
import dev.sluice.app.reload.Reloader;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reloads by call. */
final class ReloadRoutes {

  static final String RELOAD = "/api/v1/reload";

  /** A larger body is refused. */
  static final int MAX_BODY_BYTES = ConfigurationFile.MAX_BYTES;

  /** A reload that takes longer is answered with 202; its result is then the last one. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final QueryFlag DRY_RUN = new QueryFlag("dryRun");
  private static final String ASKED_BY = "management API";
  private static final String JSON = "application/json";

  private final Reloader reloader;
  private final Permission permission;

  ReloadRoutes(Reloader reloader, Permission permission) {
    this.reloader = reloader;
    this.permission = permission;
  }

  void addTo(RoutesConfig routes) {
    routes.post(RELOAD, this::reload);
    routes.get("/api/v1/reloads/last", this::last);
  }

  private void reload(Context call) {
    permission.check(call);
    var asked = asked(call);
    var result = await(asked);
    if (result.isEmpty()) {
      call.status(202);
      answer(call, Json.object().put("outcome", "running"));
      return;
    }
    switch (result.get().ending()) {
      case Ending.Done _ -> answer(call, ReloadJson.of(result.get()));
      case Ending.Invalid _, Ending.Unchangeable _ -> throw ReloadJson.problem(result.get());
    }
  }

  private CompletionStage<ReloadResult> asked(Context call) {
    boolean onlyPlan = DRY_RUN.isSet(call);
    if (call.contentLength() <= 0) {
      return onlyPlan ? reloader.planFile(ASKED_BY) : reloader.reloadFile(ASKED_BY);
    }
    var text = text(call);
    return onlyPlan ? reloader.planText(ASKED_BY, text) : reloader.reloadText(ASKED_BY, text);
  }

  private static String text(Context call) {
    try {
      var bytes = call.bodyInputStream().readNBytes(MAX_BODY_BYTES);
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw new ProblemException(
          400, "Bad Request", "Expected a configuration in UTF-8, found other bytes.");
    } catch (IOException _) {
      throw new ProblemException(400, "Bad Request", "Expected a body, found its early end.");
    }
  }

  private void last(Context call) {
    var last =
        reloader
            .last()
            .orElseThrow(
                () ->
                    new ProblemException(
                        404, "Not Found", "Expected a reload that has ended, found none yet."));
    answer(call, ReloadJson.of(last));
  }

  private static Optional<ReloadResult> await(CompletionStage<ReloadResult> asked) {
    try {
      return Optional.of(
          asked.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void answer(Context call, JsonNode node) {
    call.contentType(JSON).result(Json.text(node));
  }
}
