package dev.sluice.planner;

import java.util.List;
import java.util.stream.Collectors;

/** A server, and why it is not acted upon now. */
public record Blocked(int server, Block why) {

  public String sentence() {
    return "server " + server + " " + why.sentence();
  }

  static String said(List<Blocked> all) {
    return all.isEmpty()
        ? ""
        : ": " + all.stream().map(Blocked::sentence).collect(Collectors.joining("; "));
  }
}
