package dev.sluice.proxy;

import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;

/** Hears what happens to virtual clusters, in order. */
@FunctionalInterface
public interface ProxyListener {

  /**
   * A virtual cluster took a step (or, if {@code step} says so, was asked for something and did
   * not). Called on the control thread: must return at once.
   */
  void stepped(Life before, Life after, Step step);
}
