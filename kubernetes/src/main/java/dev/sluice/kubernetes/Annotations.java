package dev.sluice.kubernetes;

/** What pods and their owners may carry. */
final class Annotations {

  /** Strimzi's: {@code true} asks for a restart. */
  static final String MANUAL_ROLL = "strimzi.io/manual-rolling-update";

  /** Ours: an instant, or anything that says why, asks for a restart. */
  static final String RESTART = "sluice.dev/restart";

  /** Ours: {@code configmap/NAME/KEY} or {@code secret/NAME/KEY} is the desired configuration. */
  static final String CONFIGURATION = "sluice.dev/configuration";

  /** Strimzi's: the revision that a pod has, or should have. */
  static final String STRIMZI_REVISION = "strimzi.io/revision";

  /** Strimzi's: {@code true} on a Kafka resource keeps its operator from acting on it. */
  static final String PAUSED = "strimzi.io/pause-reconciliation";

  /** Kubernetes': the revision of a StatefulSet that a pod was made from. */
  static final String STATEFUL_SET_REVISION = "controller-revision-hash";

  private Annotations() {}
}
