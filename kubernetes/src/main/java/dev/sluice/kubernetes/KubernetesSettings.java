package dev.sluice.kubernetes;

import java.util.List;
import java.util.Optional;

/**
 * What a roll of pods needs to know.
 *
 * @param context of the kubeconfig file; empty: the current one, or that of the pod we run in
 * @param namespace of the pods; empty: that of the context
 * @param selections whose pods are the servers, together
 * @param container that runs Kafka
 * @param action how a pod is ended
 * @param configuration where the desired configuration of servers is; empty: annotations alone say
 */
public record KubernetesSettings(
    Optional<String> context,
    Optional<String> namespace,
    List<PodSelection> selections,
    String container,
    Action action,
    Optional<ConfigurationSource> configuration) {

  /** What Strimzi calls the container that runs Kafka. */
  public static final String DEFAULT_CONTAINER = "kafka";

  public KubernetesSettings {
    selections = List.copyOf(selections);
    if (selections.isEmpty()) {
      throw new IllegalArgumentException("expected a selection of pods, found none");
    }
  }

  /** How a pod is ended. Both give it its grace period. */
  public enum Action {
    /** By the eviction API, which respects disruption budgets. */
    EVICT,
    /** By deleting it, whatever budgets say. */
    DELETE
  }

  /**
   * Where the desired configuration of servers is.
   *
   * @param secret a Secret instead of a ConfigMap
   * @param name with places {@code {id}}, {@code {pod}} and {@code {role}}
   * @param key of the properties in it, with the same places
   */
  public record ConfigurationSource(boolean secret, String name, String key) {}
}
