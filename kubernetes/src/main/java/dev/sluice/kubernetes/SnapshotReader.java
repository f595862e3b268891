package dev.sluice.kubernetes;

import dev.sluice.kubernetes.Api.Kind;
import dev.sluice.kubernetes.KubernetesSettings.Action;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.apps.StatefulSetList;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server. All servers of one look share what was asked for the first of them; what was
 * asked before an action of ours is never shared after it. Thread-safe.
 */
final class SnapshotReader {

  /** How much earlier than a look its answer may have been asked for. */
  static final Duration SHARED = Duration.ofMillis(200);

  /** Nodes that are looked at in one look, of pods that are not well. */
  private static final int NODES_MAX = 20;

  private static final String STRIMZI_VERSION = "v1beta2";
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotReader.class);

  private final Api api;
  private final KubernetesSettings settings;
  private final StrimziGuard strimzi;
  private final RequestsSeen requests = new RequestsSeen();
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Snapshot last;
  private long lastBegan;
  private long actions;
  private @Nullable Kind budgets;
  private boolean nodesForbidden;

  SnapshotReader(Api api, KubernetesSettings settings) {
    this.api = api;
    this.settings = settings;
    this.strimzi = new StrimziGuard(api);
  }

  /** What there is now, or was a moment ago. */
  Snapshot read() throws ApiException, InterruptedException {
    long now = System.nanoTime();
    lock.lockInterruptibly();
    try {
      Snapshot shared = last;
      if (shared != null && lastBegan - now > -SHARED.toNanos()) {
        return shared;
      }
      long before = actions;
      long began = System.nanoTime();
      Snapshot fresh = fetch();
      if (before == actions) {
        last = fresh;
        lastBegan = began;
      }
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  /** When a request to restart whose time nobody tells was first seen. */
  Instant firstSeen(String uid, String annotation, String value) {
    return requests.first(uid, annotation, value, Clock.systemUTC());
  }

  /** Something was changed: what was read before counts no more. */
  void changed() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      actions++;
      last = null;
    } finally {
      lock.unlock();
    }
  }

  private Snapshot fetch() throws ApiException {
    Map<String, PodFacts> pods = new LinkedHashMap<>();
    for (PodSelection selection : settings.selections()) {
      for (var pod : api.list(Kind.PODS, selection.selector(), PodList.class)) {
        PodFacts facts = Translation.pod(pod, settings.container());
        if (selection.matches(facts.labels())) {
          pods.putIfAbsent(facts.uid(), facts);
        }
      }
    }
    List<PodFacts> all = List.copyOf(pods.values());
    return new Snapshot(settings.selections(), all, owners(all), budgets(), unwell(all));
  }

  private Map<String, OwnerFacts> owners(List<PodFacts> pods) throws ApiException {
    Map<String, OwnerFacts> owners = new TreeMap<>();
    for (String cluster : strimziClusters(pods)) {
      Optional<String> forbidden = strimzi.forbids(cluster);
      Kind sets = api.preferred(Kinds.STRIMZI_GROUP, "strimzipodsets", STRIMZI_VERSION);
      String selector = PodSelection.strimzi(cluster).selector();
      for (GenericKubernetesResource set : api.listGeneric(sets, selector)) {
        OwnerFacts facts = Translation.podSet(set).withForbidden(forbidden);
        owners.put(facts.uid(), facts);
      }
    }
    if (settings.selections().stream().anyMatch(each -> each.strimziCluster().isEmpty())
        || pods.stream().anyMatch(pod -> pod.ofStatefulSet())) {
      for (var set : api.list(Kind.STATEFUL_SETS, "", StatefulSetList.class)) {
        OwnerFacts facts = StatefulSets.facts(set);
        owners.put(facts.uid(), facts);
      }
    }
    return owners;
  }

  /** Those that were asked for, and those whose pods were found by whatever labels. */
  private Set<String> strimziClusters(List<PodFacts> pods) {
    Set<String> clusters = new TreeSet<>();
    settings.selections().forEach(each -> each.strimziCluster().ifPresent(clusters::add));
    pods.stream()
        .filter(PodFacts::ofStrimzi)
        .flatMap(pod -> PodSelection.strimziCluster(pod.labels()).stream())
        .forEach(clusters::add);
    return clusters;
  }

  private List<BudgetFacts> budgets() throws ApiException {
    if (settings.action() == Action.DELETE) {
      return List.of();
    }
    Kind kind = budgets;
    if (kind == null) {
      kind = api.preferred("policy", "poddisruptionbudgets", "v1");
      budgets = kind;
    }
    List<BudgetFacts> found = new ArrayList<>();
    for (GenericKubernetesResource budget : api.listGeneric(kind, "")) {
      found.add(Translation.budget(budget));
    }
    return found;
  }

  /**
   * Only of pods that are not well, and only where nodes may be looked at: it explains, no more.
   */
  private Map<String, NodeFacts> unwell(List<PodFacts> pods) {
    List<String> names =
        pods.stream()
            .filter(pod -> !pod.ready() || pod.deletion().isPresent())
            .map(PodFacts::node)
            .filter(name -> !name.isEmpty())
            .distinct()
            .limit(NODES_MAX)
            .toList();
    Map<String, NodeFacts> unwell = new TreeMap<>();
    for (String name : names) {
      if (nodesForbidden) {
        break;
      }
      try {
        api.getAt("nodes", "/api/v1/nodes/" + name, Node.class)
            .flatMap(Translation::unwell)
            .ifPresent(node -> unwell.put(name, node));
      } catch (ApiException e) {
        nodesForbidden = e.code() == ApiException.FORBIDDEN;
        LOG.atInfo()
            .addKeyValue("node", name)
            .addKeyValue("why", e.getMessage())
            .log("Node not looked at");
      }
    }
    return unwell;
  }
}
