package dev.sluice.audit;

import java.util.UUID;

/**
 * The name of one run, in all that it makes: client ids, groups, topics. So several audits may run
 * at once, also on one cluster and in one JVM.
 *
 * @param id short and unlikely to come again
 * @param names a part of what topics, groups and transactional ids are called
 */
record RunName(String id, String names) {

  /** What the names of all runs begin with. */
  static final String PREFIX = "audit-";

  private static final int LETTERS = 6;

  static RunName any() {
    var id = UUID.randomUUID().toString().substring(0, LETTERS);
    return new RunName(id, id);
  }

  /** The same, and topics, groups and transactional ids are called like those of another run. */
  RunName named(String part) {
    return new RunName(id, part);
  }

  /** Client id of a client: no other in this JVM has it. */
  String client(String client) {
    return PREFIX + id + "-" + client;
  }

  /** Group, topic and transactional id of a client. */
  String of(String client) {
    return PREFIX + names + "-" + client;
  }

  /** The topic into which a client copies. */
  String copyOf(String client) {
    return of(client) + "-copy";
  }
}
