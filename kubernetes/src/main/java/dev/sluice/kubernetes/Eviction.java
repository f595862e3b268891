package dev.sluice.kubernetes;

import dev.sluice.kubernetes.Api.Kind;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Evicts pods: {@code policy/v1} where the server knows it, {@code policy/v1beta1} before 1.22. */
final class Eviction {

  static final String SUBRESOURCE = "eviction";

  private final Api api;
  private final Right right;
  private final Patience patience;
  private volatile @Nullable String version;

  /**
   * How long a refusal is asked again. The look that allowed the restart was taken just before, so
   * this is short; what takes longer is decided anew.
   *
   * @param refused since it was asked for first
   * @param between requests
   */
  record Patience(Duration refused, Duration between) {
    static final Patience DEFAULT = new Patience(Duration.ofSeconds(10), Duration.ofSeconds(2));
  }

  Eviction(Api api, Right right) {
    this(api, right, Patience.DEFAULT);
  }

  Eviction(Api api, Right right, Patience patience) {
    this.api = api;
    this.right = right;
    this.patience = patience;
  }

  /**
   * Ends a pod as disruption budgets allow.
   *
   * @throws IOException if they do not within our patience, or the request failed
   */
  void of(PodFacts pod) throws IOException, InterruptedException {
    var eviction =
        new EvictionBuilder()
            .withApiVersion(version())
            .withNewMetadata()
            .withName(pod.name())
            .withNamespace(api.namespace())
            .endMetadata()
            .withDeleteOptions(KubernetesPlatform.only(pod))
            .build();
    long deadline = System.nanoTime() + patience.refused().toNanos();
    while (true) {
      try {
        api.createOnce(Kind.PODS, pod.name(), SUBRESOURCE, eviction);
        return;
      } catch (ApiException e) {
        if (e.code() != ApiException.TOO_MANY_REQUESTS) {
          throw e;
        }
        if (System.nanoTime() - deadline > 0 || !right.held()) {
          throw new IOException(
              "no eviction of pod %s was allowed for %ds: %s"
                  .formatted(pod.name(), patience.refused().toSeconds(), e.getMessage()),
              e);
        }
      }
      Thread.sleep(patience.between());
    }
  }

  private String version() throws ApiException {
    String known = version;
    if (known == null) {
      known =
          api.getAt("the kinds of /api/v1", "/api/v1", APIResourceList.class)
              .flatMap(
                  kinds ->
                      kinds.getResources().stream()
                          .filter(each -> each.getName().equals("pods/" + SUBRESOURCE))
                          .findFirst())
              .map(Eviction::version)
              .orElse("policy/v1");
      version = known;
    }
    return known;
  }

  private static String version(APIResource resource) {
    return resource.getGroup() == null || resource.getVersion() == null
        ? "policy/v1"
        : resource.getGroup() + "/" + resource.getVersion();
  }
}
