package dev.sluice.kubernetes;

import static java.util.Objects.requireNonNullElse;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.Client;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Plain requests to the API server, about one namespace. Thread-safe; every call blocks for the
 * request timeout of the client at most, a few times over when the server is busy.
 */
final class Api {

  /** Objects of one page of a list. */
  private static final int PAGE = 500;

  /** How often a list begins again because the server has forgotten the page that comes next. */
  private static final int LIST_RESTARTS = 2;

  private final KubernetesClient client;
  private final Client once;
  private final KubernetesSerialization json;
  private final String namespace;
  private final ConcurrentMap<String, String> versions = new ConcurrentHashMap<>();

  Api(KubernetesClient client, String namespace) {
    this.client = client;
    this.once =
        client.newClient(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build());
    this.json = client.getKubernetesSerialization();
    this.namespace = namespace;
  }

  String namespace() {
    return namespace;
  }

  KubernetesClient client() {
    return client;
  }

  /**
   * A kind of objects.
   *
   * @param root {@code /api/v1} or {@code /apis/GROUP/VERSION}
   */
  record Kind(String root, String plural) {
    static final Kind PODS = new Kind("/api/v1", "pods");
    static final Kind CONFIG_MAPS = new Kind("/api/v1", "configmaps");
    static final Kind SECRETS = new Kind("/api/v1", "secrets");
    static final Kind EVENTS = new Kind("/api/v1", "events");
    static final Kind STATEFUL_SETS = new Kind("/apis/apps/v1", "statefulsets");
    static final Kind LEASES = new Kind("/apis/coordination.k8s.io/v1", "leases");
  }

  <T> Optional<T> get(Kind kind, String name, Class<T> type) throws ApiException {
    return read("get", kind.plural(), path(kind, name)).map(text -> json.unmarshal(text, type));
  }

  <T extends HasMetadata> List<T> list(
      Kind kind, String selector, Class<? extends KubernetesResourceList<T>> type)
      throws ApiException {
    for (int attempt = 0; ; attempt++) {
      try {
        return pages(kind, selector, type);
      } catch (ApiException e) {
        if (e.code() != ApiException.GONE || attempt == LIST_RESTARTS) {
          throw e;
        }
      }
    }
  }

  private <T extends HasMetadata> List<T> pages(
      Kind kind, String selector, Class<? extends KubernetesResourceList<T>> type)
      throws ApiException {
    List<T> all = new ArrayList<>();
    String next = "";
    do {
      String page =
          path(kind, "")
              + "?limit="
              + PAGE
              + (selector.isEmpty() ? "" : "&labelSelector=" + encoded(selector))
              + (next.isEmpty() ? "" : "&continue=" + encoded(next));
      KubernetesResourceList<T> list =
          json.unmarshal(
              read("list", kind.plural(), page).orElseThrow(() -> missing("list", kind.plural())),
              type);
      all.addAll(list.getItems());
      next =
          list.getMetadata() == null
              ? ""
              : requireNonNullElse(list.getMetadata().getContinue(), "");
    } while (!next.isEmpty());
    return all;
  }

  List<GenericKubernetesResource> listGeneric(Kind kind, String selector) throws ApiException {
    return list(kind, selector, GenericKubernetesResourceList.class);
  }

  /** The log of a container, its last lines. */
  Optional<String> log(String pod, String container, int lines, int bytes, boolean previous)
      throws ApiException {
    return read(
        "get",
        "pods/log",
        path(Kind.PODS, pod)
            + "/log?container=%s&tailLines=%d&limitBytes=%d&previous=%s"
                .formatted(encoded(container), lines, bytes, previous));
  }

  /** Something outside the namespace, such as {@code /api/v1/nodes/NAME}. */
  <T> Optional<T> getAt(String resource, String path, Class<T> type) throws ApiException {
    return read("get", resource, path).map(text -> json.unmarshal(text, type));
  }

  <T> T create(Kind kind, T object, Class<T> type) throws ApiException {
    return json.unmarshal(
        write("create", kind.plural(), path(kind, ""), "POST", object, client), type);
  }

  /** Writes an object, unless it was changed since it was read. */
  <T extends HasMetadata> T replace(Kind kind, T object, Class<T> type) throws ApiException {
    String path = path(kind, object.getMetadata().getName());
    return json.unmarshal(write("update", kind.plural(), path, "PUT", object, client), type);
  }

  void delete(Kind kind, String name, Object options) throws ApiException {
    write("delete", kind.plural(), path(kind, name), "DELETE", options, client);
  }

  /** Asks once, so that a refusal is heard at once. */
  void createOnce(Kind kind, String name, String subresource, Object object) throws ApiException {
    write(
        "create",
        kind.plural() + "/" + subresource,
        path(kind, name) + "/" + subresource,
        "POST",
        object,
        once);
  }

  /**
   * A kind of a group in the version that the server prefers.
   *
   * @param otherwise the version when the server does not tell
   */
  Kind preferred(String group, String plural, String otherwise) throws ApiException {
    String version = versions.get(group);
    if (version == null) {
      version =
          getAt(group, "/apis/" + group, GenericKubernetesResource.class)
              .map(found -> found.<String>get("preferredVersion", "version"))
              .orElse(otherwise);
      versions.put(group, version);
    }
    return new Kind("/apis/" + group + "/" + version, plural);
  }

  // --- requests

  private Optional<String> read(String verb, String resource, String path) throws ApiException {
    try {
      return Optional.ofNullable(client.raw(path, "GET", null));
    } catch (KubernetesClientException e) {
      if (e.getCode() == ApiException.NOT_FOUND) {
        return Optional.empty();
      }
      throw explained(verb, resource, e);
    }
  }

  private String write(
      String verb, String resource, String path, String method, Object body, Client by)
      throws ApiException {
    try {
      String answer = by.raw(path, method, body);
      if (answer == null) {
        throw missing(verb, resource);
      }
      return answer;
    } catch (KubernetesClientException e) {
      throw explained(verb, resource, e);
    }
  }

  private ApiException missing(String verb, String resource) {
    return new ApiException(
        "expected to %s %s in namespace %s, found none".formatted(verb, resource, namespace),
        ApiException.NOT_FOUND,
        null);
  }

  /** Why pods are not watched, in words for a person. */
  static String watchFailure(Throwable failure, String namespace) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException refused) {
        return String.valueOf(
            explained("watch", Kind.PODS.plural(), namespace, refused).getMessage());
      }
    }
    return String.valueOf(failure.getMessage());
  }

  private ApiException explained(String verb, String resource, KubernetesClientException e) {
    return explained(verb, resource, namespace, e);
  }

  private static ApiException explained(
      String verb, String resource, String namespace, KubernetesClientException e) {
    String said =
        e.getStatus() == null || e.getStatus().getMessage() == null
            ? String.valueOf(e.getMessage())
            : e.getStatus().getMessage();
    String message =
        switch (e.getCode()) {
          case ApiException.FORBIDDEN ->
              "expected the permission to %s %s in namespace %s, found that it is missing; grant it in a Role (%s)"
                  .formatted(verb, resource, namespace, Text.quoted(said));
          case ApiException.UNAUTHORIZED ->
              "expected to be known to the API server, found that it does not accept our credentials (%s)"
                  .formatted(Text.quoted(said));
          case ApiException.NOT_FOUND ->
              "expected to %s %s in namespace %s, found none (%s)"
                  .formatted(verb, resource, namespace, Text.quoted(said));
          default ->
              "the API server did not %s %s in namespace %s: %s"
                  .formatted(verb, resource, namespace, Text.quoted(cause(e, said)));
        };
    return new ApiException(message, e.getCode(), e);
  }

  private static String cause(KubernetesClientException e, String said) {
    Throwable cause = e.getCause();
    return cause == null || cause.getMessage() == null ? said : said + ": " + cause.getMessage();
  }

  private String path(Kind kind, String name) {
    return kind.root()
        + "/namespaces/"
        + namespace
        + "/"
        + kind.plural()
        + (name.isEmpty() ? "" : "/" + name);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
