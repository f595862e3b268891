package dev.sluice.planner;

import java.time.Duration;
import java.util.Collection;
import java.util.stream.Collectors;

/** How values are said. */
final class Said {

  private Said() {}

  static String duration(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < 60) {
      return seconds == 0 ? duration.toMillis() + "ms" : seconds + "s";
    }
    long minutes = seconds / 60;
    String rest = seconds % 60 == 0 ? "" : seconds % 60 + "s";
    return minutes < 60 ? minutes + "m" + rest : minutes / 60 + "h" + minutes % 60 + "m" + rest;
  }

  static String count(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  static String set(Collection<Integer> servers) {
    return servers.stream().map(String::valueOf).collect(Collectors.joining(", ", "{", "}"));
  }
}
