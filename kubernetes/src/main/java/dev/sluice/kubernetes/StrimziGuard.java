package dev.sluice.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.Optional;

/** Keeps us from acting on pods that Strimzi's operator rolls at the same time. */
final class StrimziGuard {

  private static final String GROUP = "kafka.strimzi.io";
  private static final String VERSION = "v1beta2";

  private final Api api;

  StrimziGuard(Api api) {
    this.api = api;
  }

  /** Why the pods of a cluster must not be restarted by us; empty when its operator is paused. */
  Optional<String> forbids(String cluster) throws ApiException {
    return forbids(
        cluster,
        api.namespace(),
        api.get(api.preferred(GROUP, "kafkas", VERSION), cluster, GenericKubernetesResource.class)
            .map(found -> found.getMetadata().getAnnotations()));
  }

  /**
   * The rule.
   *
   * @param annotations of the Kafka resource; empty when there is none
   */
  static Optional<String> forbids(
      String cluster, String namespace, Optional<Map<String, String>> annotations) {
    if (annotations.isEmpty()) {
      return Optional.of(
          "expected a Kafka resource %s in namespace %s that says whether Strimzi acts on its pods, found none"
              .formatted(cluster, namespace));
    }
    return "true".equals(annotations.get().get(Annotations.PAUSED))
        ? Optional.empty()
        : Optional.of(
            "Strimzi's operator restarts the pods of Kafka %s itself, and two must not; pause it: kubectl annotate kafka %s -n %s %s=true"
                .formatted(cluster, cluster, namespace, Annotations.PAUSED));
  }
}
