package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.Reason;
import dev.sluice.lifecycle.Reason.Code;
import dev.sluice.lifecycle.Step;

/** Refusals of what the proxy itself is asked for: the same as the lifecycle's own. */
final class Refusals {

  private Refusals() {}

  /** It cannot be asked of a virtual cluster in this state. */
  static Step.Refused of(ClusterState now, String sentence) {
    var code = now.isUnderReload() ? Code.UNDER_RELOAD : Code.NOT_POSSIBLE_NOW;
    return new Step.Refused(new Reason(code, sentence));
  }

  /** A reload does something to it, or is about to. */
  static Step.Refused underReload() {
    return new Step.Refused(
        new Reason(Code.UNDER_RELOAD, "A reload of it is under way: ask again when it has ended."));
  }

  /** The proxy is going. */
  static Step.Refused shuttingDown() {
    return new Step.Refused(
        new Reason(Code.NOT_POSSIBLE_NOW, "The proxy shuts down: nothing begins any more."));
  }
}
