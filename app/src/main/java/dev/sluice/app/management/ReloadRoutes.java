package dev.sluice.app.management;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.reload.ReloadResult;
import dev.sluice.app.reload.Reloader;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reloads by call. */
final class ReloadRoutes {

  static final String RELOAD = "/api/v1/reload";
  private static final String RELOADS = "/api/v1/reloads/";

  /** A larger body is refused. */
  static final int MAX_BODY_BYTES = ConfigurationFile.MAX_BYTES;

  /** A reload that takes longer is answered with 202, and its number to ask for later. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final QueryFlag DRY_RUN = new QueryFlag("dryRun");
  private static final String ASKED_BY = "management API";
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";

  /** As what a configuration may come. */
  private static final Set<String> TYPES =
      Set.of(
          YAML,
          "application/x-yaml",
          "text/yaml",
          "text/x-yaml",
          "text/plain",
          JSON,
          "application/octet-stream",
          "application/x-www-form-urlencoded");

  private final Reloader reloader;
  private final Permission permission;

  ReloadRoutes(Reloader reloader, Permission permission) {
    this.reloader = reloader;
    this.permission = permission;
  }

  void addTo(RoutesConfig routes) {
    routes.post(RELOAD, this::reload);
    routes.get(RELOADS + "last", this::last);
    routes.get(RELOADS + "{number}", this::numbered);
  }

  private void reload(Context call) {
    permission.check(call);
    var asked = asked(call);
    var result = await(asked.result());
    if (result.isEmpty()) {
      call.status(202).header("Location", RELOADS + asked.number());
      answer(call, running(asked.number()));
    } else if (result.get().isAsAsked()) {
      answer(call, ReloadJson.of(result.get()));
    } else {
      throw ReloadJson.problem(result.get());
    }
  }

  private static JsonNode running(long number) {
    return Json.object().put("number", number).put("outcome", "running");
  }

  private Reloader.Asked asked(Context call) {
    boolean onlyPlan = DRY_RUN.isSet(call);
    if (call.contentLength() <= 0) {
      return onlyPlan ? reloader.planFile(ASKED_BY) : reloader.reloadFile(ASKED_BY);
    }
    checkType(call);
    var text = text(call);
    return onlyPlan ? reloader.planText(ASKED_BY, text) : reloader.reloadText(ASKED_BY, text);
  }

  /** JSON is YAML, too; {@code curl -d} says that a form comes, whatever it sends. */
  private static void checkType(Context call) {
    var coding = call.header("Content-Encoding");
    var type = mediaType(call.contentType());
    if (coding != null || !TYPES.contains(type)) {
      throw new ProblemException(
          415,
          "Unsupported Media Type",
          "Expected a configuration as application/yaml that is not compressed, found "
              + (coding == null ? type : "Content-Encoding " + coding)
              + ".");
    }
  }

  /** Without its parameters; what is not told is taken for YAML. */
  private static String mediaType(@Nullable String contentType) {
    return contentType == null
        ? YAML
        : contentType.replaceFirst(";.*$", "").strip().toLowerCase(Locale.ROOT);
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

  private void numbered(Context call) {
    var given = call.pathParam("number");
    var number = number(given);
    if (reloader.isUnderWay(number)) {
      answer(call, running(number));
      return;
    }
    var result =
        reloader
            .result(number)
            .orElseThrow(
                () ->
                    new ProblemException(
                        404,
                        "Not Found",
                        "Expected the number of one of the latest reloads, found '"
                            + given
                            + "'."));
    answer(call, ReloadJson.of(result));
  }

  /** 0, which no reload has, of what is no number. */
  private static long number(String given) {
    try {
      return Long.parseLong(given);
    } catch (NumberFormatException _) {
      return 0;
    }
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
