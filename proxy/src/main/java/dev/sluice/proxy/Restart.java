package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterEvent;
import dev.sluice.lifecycle.ClusterState.Change;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Another generation of the same configuration takes over, and everything behind it is made anew.
 */
final class Restart {

  private final VirtualClusterHost host;
  private final ClientConnections clients;
  private final Clock clock;

  Restart(VirtualClusterHost host, ClientConnections clients, Clock clock) {
    this.host = host;
    this.clients = clients;
    this.clock = clock;
  }

  /**
   * Begins, on the control thread.
   *
   * @return the step by which the next generation took over, the refusal, or, if it could not be
   *     prepared, what was noted of that
   */
  CompletionStage<Step> begin() {
    var state = host.state();
    if (!(state instanceof Serving)) {
      return CompletableFuture.completedFuture(
          Refusals.of(state, "It is " + state.kind().label() + ": only what serves is restarted."));
    }
    var accepted = host.accept(host.spec());
    if (accepted.step() instanceof Step.Refused) {
      return CompletableFuture.completedFuture(accepted.step());
    }
    int next = accepted.generation();
    return host.until(life -> !hasChange(life, new Change.Preparing(next)))
        .thenApply(life -> takeOver(life, next));
  }

  private Step takeOver(Life life, int next) {
    if (!hasChange(life, new Change.Ready(next))) {
      return new Step.Noted(life.state(), List.of(), life.reason());
    }
    host.generations().get(next).makes(Upstreams.ANEW);
    var way =
        switch (clients) {
          case KEPT -> Way.IN_PLACE;
          case CLOSED -> Way.HANDOVER;
        };
    var deadline = clock.instant().plus(host.spec().drainTimeout());
    return host.tell(new ClusterEvent.SwitchAsked(next, way, Fallback.ROLL_BACK, deadline));
  }

  private static boolean hasChange(Life life, Change change) {
    return life.state() instanceof Serving serving && serving.change().equals(change);
  }
}
