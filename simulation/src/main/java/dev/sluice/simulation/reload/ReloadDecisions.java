package dev.sluice.simulation.reload;

import dev.sluice.lifecycle.doors.Doors;
import dev.sluice.lifecycle.doors.Doorway;
import dev.sluice.lifecycle.reload.Blueprint;
import dev.sluice.lifecycle.reload.Comparison;
import dev.sluice.lifecycle.reload.Line;
import dev.sluice.lifecycle.reload.Place;
import dev.sluice.lifecycle.reload.Present;
import dev.sluice.lifecycle.reload.Reload;
import dev.sluice.lifecycle.reload.ReloadEvent;
import dev.sluice.lifecycle.reload.ReloadPlan;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.lifecycle.reload.ReloadState;
import dev.sluice.lifecycle.reload.ReloadStep;
import java.time.Instant;
import java.util.Collection;
import java.util.SortedMap;

/** The real decisions. A mutant overrides one of them, wrongly. */
public interface ReloadDecisions {

  /** As they are. */
  ReloadDecisions REAL = new ReloadDecisions() {};

  /** {@link Comparison#of}. */
  default ReloadPlan compare(Collection<Present> present, SortedMap<String, Blueprint> asked) {
    return Comparison.of(present, asked);
  }

  /** {@link Reload#begin}. */
  default ReloadStep begin(ReloadPlan plan, ReloadPolicy policy) {
    return Reload.begin(plan, policy);
  }

  /** {@link Reload#on}. */
  default ReloadStep on(ReloadState state, ReloadEvent event) {
    return Reload.on(state, event);
  }

  /** {@link Line#asked}. */
  default Line.Turn asked(Line line, long number) {
    return line.asked(number);
  }

  /** {@link Line#ended}. */
  default Line.Turn ended(Line line) {
    return line.ended();
  }

  /** {@link Doors#unnamed}. */
  default Doors.Turn leave(Doors doors, Collection<Doorway> left, Instant now) {
    return doors.unnamed(left, now);
  }

  /** {@link Doors#wanted}. */
  default Doors.Turn want(Doors doors, Collection<Place> places, Instant now) {
    return doors.wanted(places, now);
  }

  /** {@link Doors#at}. */
  default Doors.Turn tick(Doors doors, Instant now) {
    return doors.at(now);
  }
}
