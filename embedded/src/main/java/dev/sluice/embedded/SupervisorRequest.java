package dev.sluice.embedded;

import java.util.Locale;

/**
 * A line to a supervisor: verb, server id, limit.
 *
 * @param verb what is asked for
 * @param serverId of which server; without meaning for verbs that concern all
 * @param limitMillis how long a stop may take, in milliseconds
 */
record SupervisorRequest(SupervisorVerb verb, int serverId, long limitMillis) {

  private static final int PARTS = 3;

  String line() {
    return verb.name().toLowerCase(Locale.ROOT) + " " + serverId + " " + limitMillis;
  }

  static SupervisorRequest parse(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length != PARTS) {
      throw new IllegalArgumentException("Expected verb, server id and limit, found: " + line);
    }
    return new SupervisorRequest(
        SupervisorVerb.valueOf(parts[0].toUpperCase(Locale.ROOT)),
        Integer.parseInt(parts[1]),
        Long.parseLong(parts[2]));
  }
}
