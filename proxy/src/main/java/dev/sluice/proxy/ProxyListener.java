package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;

/**
 * Hears what happens to virtual clusters, in order. Called on the control thread: must return at
 * once. What it throws is logged and changes nothing.
 */
@FunctionalInterface
public interface ProxyListener {

  /**
   * A virtual cluster took a step (or, if {@code step} says so, was asked for something and did
   * not).
   */
  void stepped(Life before, Life after, Step step);

  /**
   * A virtual cluster has failed, and the failure policy goes on from here. Not told of one that a
   * reload has begun in vain, and takes away again.
   */
  default void failed(Life life, Failed state) {}

  /** A virtual cluster is there that was not; its life has begun. */
  default void added(String name) {}

  /** A virtual cluster was removed, and is stopped: nobody knows its name any more. */
  default void removed(String name) {}
}
