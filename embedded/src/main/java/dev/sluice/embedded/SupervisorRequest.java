package dev.sluice.embedded;

import java.util.Locale;

/**
 * A line to a supervisor: verb, server id, limit, and how often the server was started.
 *
 * @param verb what is asked for
 * @param serverId of which server; without meaning for verbs that concern all
 * @param limitMillis how long a stop may take, in milliseconds
 * @param ifStarts a restart is obeyed only while the server was started so often, so that whoever
 *     asks twice, not knowing what became of the first time, restarts once; {@link #ALWAYS} else
 */
record SupervisorRequest(SupervisorVerb verb, int serverId, long limitMillis, int ifStarts) {

  static final int ALWAYS = -1;

  private static final int PARTS = 4;

  SupervisorRequest(SupervisorVerb verb, int serverId, long limitMillis) {
    this(verb, serverId, limitMillis, ALWAYS);
  }

  String line() {
    return verb.name().toLowerCase(Locale.ROOT)
        + " "
        + serverId
        + " "
        + limitMillis
        + " "
        + ifStarts;
  }

  static SupervisorRequest parse(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length != PARTS) {
      throw new IllegalArgumentException(
          "Expected verb, server id, limit and starts, found: " + line);
    }
    return new SupervisorRequest(
        SupervisorVerb.valueOf(parts[0].toUpperCase(Locale.ROOT)),
        Integer.parseInt(parts[1]),
        Long.parseLong(parts[2]),
        Integer.parseInt(parts[3]));
  }
}
