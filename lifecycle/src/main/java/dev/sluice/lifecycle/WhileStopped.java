package dev.sluice.lifecycle;

import static dev.sluice.lifecycle.Steps.outdated;
import static dev.sluice.lifecycle.Steps.refused;
import static dev.sluice.lifecycle.Steps.stayed;

import dev.sluice.lifecycle.ClusterEvent.BarrierOpened;
import dev.sluice.lifecycle.ClusterEvent.ConfigurationAccepted;
import dev.sluice.lifecycle.ClusterEvent.DeadlinePassed;
import dev.sluice.lifecycle.ClusterEvent.DrainAsked;
import dev.sluice.lifecycle.ClusterEvent.PrepareFailed;
import dev.sluice.lifecycle.ClusterEvent.Prepared;
import dev.sluice.lifecycle.ClusterEvent.Quiesced;
import dev.sluice.lifecycle.ClusterEvent.ReloadCancelled;
import dev.sluice.lifecycle.ClusterEvent.RemovalAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryAsked;
import dev.sluice.lifecycle.ClusterEvent.RetryDue;
import dev.sluice.lifecycle.ClusterEvent.ShutdownAsked;
import dev.sluice.lifecycle.ClusterEvent.SwitchAsked;
import dev.sluice.lifecycle.ClusterState.Stopped;
import dev.sluice.lifecycle.Reason.Code;

/** The row of the table for a life that is over. Nothing moves it; its name may live again. */
final class WhileStopped {

  private WhileStopped() {}

  static Step on(Stopped now, ClusterEvent event) {
    return switch (event) {
      case ConfigurationAccepted _, RetryAsked _ ->
          refused(
              Code.STOPPED_IS_FINAL,
              "This life is over ("
                  + now.ending().label()
                  + "): begin a new one with start, or by changing its configuration.");
      case DrainAsked _, RemovalAsked _, ShutdownAsked _ ->
          stayed(Code.ALREADY_SO, "It is stopped already.");
      case BarrierOpened _,
          SwitchAsked _,
          ReloadCancelled _,
          Prepared _,
          PrepareFailed _,
          RetryDue _,
          Quiesced _,
          DeadlinePassed _ ->
          outdated();
    };
  }
}
