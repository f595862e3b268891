package dev.sluice.kubernetes;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server that throttles once more when it says ({@code Retry-After}, RFC 9110), which the
 * client's own attempts do not: they only know their back-off. Evictions are left out, since a
 * refusal of those is an answer and not a lack of time.
 */
final class Throttled implements Interceptor {

  /** A part of {@link KubernetesCluster#REQUEST_LIMIT}, so that there is time to ask again. */
  static final Duration WAIT_MAX = Duration.ofSeconds(2);

  private static final String HEADER = "Retry-After";

  @Override
  public CompletableFuture<Boolean> afterFailure(
      HttpRequest.Builder request, HttpResponse<?> response, RequestTags tags) {
    OptionalLong seconds = seconds(response.header(HEADER));
    if (response.code() != ApiException.TOO_MANY_REQUESTS
        || seconds.isEmpty()
        || response.request().uri().getPath().endsWith("/" + Eviction.SUBRESOURCE)) {
      return CompletableFuture.completedFuture(false);
    }
    long wait = Math.min(seconds.getAsLong(), WAIT_MAX.toSeconds());
    return CompletableFuture.supplyAsync(
        () -> true, CompletableFuture.delayedExecutor(wait, TimeUnit.SECONDS));
  }

  /** API servers say seconds; a date is left to the back-off. */
  private static OptionalLong seconds(@Nullable String value) {
    return value != null && value.matches("[0-9]{1,6}")
        ? OptionalLong.of(Long.parseLong(value))
        : OptionalLong.empty();
  }
}
