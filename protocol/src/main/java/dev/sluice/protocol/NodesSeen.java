package dev.sluice.protocol;

import org.jspecify.annotations.Nullable;

/** Takes note of the brokers' own addresses as they pass by. */
@FunctionalInterface
public interface NodesSeen {

  /**
   * A response named this broker. Called on the thread that rewrites, before the address is
   * replaced; must not block.
   *
   * @param nodeId 0 or more
   * @param host not empty
   * @param port 1 to 65535
   * @param rack null if the broker has none, or if the response does not tell racks
   */
  void seen(int nodeId, String host, int port, @Nullable String rack);
}
