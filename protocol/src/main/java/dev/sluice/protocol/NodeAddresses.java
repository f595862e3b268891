package dev.sluice.protocol;

import org.jspecify.annotations.Nullable;

/** Where clients find a broker: what is told to them instead of the broker's own address. */
@FunctionalInterface
public interface NodeAddresses {

  /**
   * The address of a broker as clients shall see it, or null if it has none here. Called on the
   * thread that rewrites, once per broker and response; must not block.
   */
  @Nullable Endpoint advertised(int nodeId);
}
