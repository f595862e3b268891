package dev.sluice.audit;

import java.util.UUID;

/**
 * The name of one run, in all that it makes: client ids, groups, topics. So several audits may run
 * at once, also on one cluster and in one JVM.
 *
 * @param id short and unlikely to come again
 */
record RunName(String id) {

  /** What the names of all runs begin with. */
  static final String PREFIX = "audit-";

  private static final int LETTERS = 6;

  static RunName any() {
    return new RunName(UUID.randomUUID().toString().substring(0, LETTERS));
  }

  /** Client id, group and topic of a client. */
  String of(String client) {
    return PREFIX + id + "-" + client;
  }

  /** The topic into which a client copies. */
  String copyOf(String client) {
    return of(client) + "-copy";
  }
}
