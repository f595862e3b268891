package dev.sluice.kubernetes;

/** Kinds of owners that tell revisions. */
final class Kinds {

  static final String STATEFUL_SET = "StatefulSet";
  static final String STRIMZI_GROUP = "core.strimzi.io";
  static final String STRIMZI_POD_SET = "StrimziPodSet";

  private Kinds() {}
}
