package dev.sluice.kubernetes;

import java.time.Instant;

/**
 * A node that is not well.
 *
 * @param since when it stopped being ready
 */
record NodeFacts(String name, Instant since, String reason, String message) {

  String sentence() {
    return "its node %s is not ready since %s%s%s"
        .formatted(name, since, Text.inBrackets(reason), Text.afterColon(message));
  }
}
