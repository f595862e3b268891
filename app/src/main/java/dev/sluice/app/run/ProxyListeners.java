package dev.sluice.app.run;

import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Step;
import dev.sluice.proxy.ProxyListener;
import java.util.List;

/** Several that hear what happens from the first moment on. */
record ProxyListeners(List<ProxyListener> all) implements ProxyListener {

  ProxyListeners {
    all = List.copyOf(all);
  }

  @Override
  public void stepped(Life before, Life after, Step step) {
    all.forEach(one -> one.stepped(before, after, step));
  }

  @Override
  public void failed(Life life, Failed state) {
    all.forEach(one -> one.failed(life, state));
  }

  @Override
  public void added(String name) {
    all.forEach(one -> one.added(name));
  }

  @Override
  public void removed(String name) {
    all.forEach(one -> one.removed(name));
  }
}
