package dev.sluice.proxy;

import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.Reason;
import dev.sluice.lifecycle.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells a person what became of virtual clusters, and why: a line for each step. */
final class StepLog implements ProxyListener {

  /** Under the name of what people know. */
  private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

  @Override
  public void stepped(Life before, Life after, Step step) {
    switch (step) {
      case Step.Moved moved ->
          (moved.state() instanceof ClusterState.Failed ? LOG.atError() : LOG.atInfo())
              .addKeyValue("virtualCluster", after.name())
              .addKeyValue("from", before.state().kind().label())
              .addKeyValue("to", moved.state().kind().label())
              .addKeyValue("generation", after.generation())
              .addKeyValue("code", moved.reason().code().label())
              .log("{}", moved.reason().sentence());
      case Step.Noted noted ->
          (noted.reason().code() == Reason.Code.PREPARE_FAILED_BESIDE ? LOG.atWarn() : LOG.atInfo())
              .addKeyValue("virtualCluster", after.name())
              .addKeyValue("state", after.state().kind().label())
              .addKeyValue("code", noted.reason().code().label())
              .log("{}", noted.reason().sentence());
      case Step.Refused refused ->
          LOG.atWarn()
              .addKeyValue("virtualCluster", after.name())
              .addKeyValue("state", after.state().kind().label())
              .addKeyValue("code", refused.reason().code().label())
              .log("Refused: {}", refused.reason().sentence());
      case Step.Stayed _ -> {}
    }
  }
}
