package dev.sluice.proxy;

import dev.sluice.lifecycle.reload.Place;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseCombiner;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The virtual clusters that still listen where they do not want their clients any more: whoever
 * else wants such a place gets it. Belongs to the control thread.
 */
final class Lingerers {

  private final EventExecutor control;
  private final Set<ListeningSockets> all = new LinkedHashSet<>();

  Lingerers(EventExecutor control) {
    this.control = control;
  }

  /** This one does so, or does no more. */
  void note(ListeningSockets one, boolean lingers) {
    if (lingers) {
      all.add(one);
    } else {
      all.remove(one);
    }
  }

  /** Succeeds when nobody else lingers at these places. */
  Future<?> giveUp(Collection<Place> wanted, ListeningSockets by) {
    var leaving = new PromiseCombiner(control);
    for (var one : List.copyOf(all)) {
      if (!one.equals(by)) {
        leaving.add((Future<?>) one.giveUp(wanted));
      }
    }
    Promise<Void> left = control.newPromise();
    leaving.finish(left);
    return left;
  }
}
