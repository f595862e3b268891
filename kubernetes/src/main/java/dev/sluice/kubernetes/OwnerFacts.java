package dev.sluice.kubernetes;

import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the API server says about a controller of pods.
 *
 * @param members labels of the pods that it should have, by the name of the pod
 * @param revisions that its pods should have, by the name of the pod; empty when it does not tell
 * @param revision that all others should have; empty when it does not tell
 * @param forbidden why its pods must not be restarted by us; empty when they may
 * @param annotated when annotations were written last, as far as managed fields tell
 */
record OwnerFacts(
    String apiVersion,
    String kind,
    String name,
    String uid,
    SortedMap<String, Map<String, String>> members,
    SortedMap<String, String> revisions,
    Optional<String> revision,
    Optional<String> forbidden,
    Map<String, String> annotations,
    Map<String, Instant> annotated) {

  OwnerFacts {
    members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    revisions = Collections.unmodifiableSortedMap(new TreeMap<>(revisions));
    annotations = Map.copyOf(annotations);
    annotated = Map.copyOf(annotated);
  }

  /**
   * The revision that a pod should have. One that has the newest already is left as it is, also
   * where pods are kept back: a partition that is raised rolls nothing back.
   *
   * @param has the one that it has
   */
  Optional<String> revisionOf(String pod, String has) {
    return revision
        .filter(has::equals)
        .or(() -> Optional.ofNullable(revisions.get(pod)))
        .or(() -> revision);
  }

  OwnerFacts withForbidden(Optional<String> why) {
    return new OwnerFacts(
        apiVersion, kind, name, uid, members, revisions, revision, why, annotations, annotated);
  }
}
