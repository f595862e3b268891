package dev.sluice.simulation.reload;

import dev.sluice.simulation.InvariantBroken;
import java.util.function.Supplier;

/** What must hold of reloads, whatever went wrong. */
public enum ReloadInvariant {
  /** What runs is the newest accepted configuration, or its declared roll-back. */
  RUNS_THE_NEWEST_OR_ITS_ROLL_BACK,
  /** A cluster that runs as configured hears nothing of a reload. */
  THE_UNAFFECTED_GET_NO_ACTION,
  /** What was acquired is released once: never twice, and in the end never not. */
  RELEASED_ONCE,
  /** Two Kafka clusters are never seen together behind one virtual cluster. */
  NEVER_TWO_KAFKA_CLUSTERS_TOGETHER,
  /** A connection stays only where its address does. */
  IN_PLACE_KEEPS_THE_ADDRESS,
  /** Of an atomic reload all that can be prepared is switched, or none. */
  ATOMIC_IS_ALL_OR_NONE,
  /** Who needs a port of a cluster that goes, or goes elsewhere, is prepared when it has. */
  PORTS_ARE_FREED_FIRST,
  /**
   * A door that clients were told of stays open as long as they may know no other, or until
   * somebody else wants its place.
   */
  KNOWN_DOORS_STAY_OPEN,
  /** Who wants to listen where somebody only lingers finds the place free. */
  WHO_WANTS_A_LEFT_DOOR_GETS_IT,
  /** A door that nobody names is closed in the end. */
  NOTHING_LINGERS_FOR_EVER,
  /** No automatic retry begins while a reload does something to the cluster. */
  RETRIES_YIELD,
  /** An automatic retry that has yielded to a reload comes after it. */
  NO_RETRY_IS_LOST,
  /** Reloads do not overlap. */
  ONE_AT_A_TIME,
  /** Of those that wait the newest runs. */
  THE_NEWEST_RUNS,
  /** Whoever asks for a reload gets one answer. */
  ANSWERED_ONCE,
  /** When faults stop, a reload brings up all that is configured. */
  EVERYTHING_SETTLES;

  InvariantBroken broken(String found) {
    return new InvariantBroken(name(), found);
  }

  void require(boolean holds, Supplier<String> found) {
    if (!holds) {
      throw broken(found.get());
    }
  }
}
