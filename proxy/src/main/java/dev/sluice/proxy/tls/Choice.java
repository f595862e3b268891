package dev.sluice.proxy.tls;

import java.util.List;

/**
 * Which of many may be used.
 *
 * @param allow in order of preference; empty: what is usual
 * @param deny left out of those
 */
public record Choice(List<String> allow, List<String> deny) {

  /** What is usual. */
  public static final Choice USUAL = new Choice(List.of(), List.of());

  public Choice {
    allow = List.copyOf(allow);
    deny = List.copyOf(deny);
  }

  List<String> among(List<String> usual) {
    return (allow.isEmpty() ? usual : allow).stream().filter(one -> !deny.contains(one)).toList();
  }
}
