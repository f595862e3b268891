package dev.sluice.simulation.roll;

import dev.sluice.planner.reading.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/** The truth about one server. */
final class SimServer {

  enum State {
    DOWN,
    STARTING,
    RECOVERING,
    UP,
    STOPPING
  }

  final int id;
  final boolean broker;
  final boolean controller;
  State state = State.UP;

  /** Since when there is this process, or none. */
  Instant process;

  /** Since when it is in this state. */
  Instant since;

  /** Cancels what was meant for an earlier life of it. */
  int life;

  String running = "r0";
  boolean cannotStart;
  boolean stuckRevision;
  boolean refusesChanges;
  boolean unclean;
  boolean fenced;
  boolean pendingChange;
  boolean staysDown;
  boolean caughtUp = true;
  Instant caughtUpAt;
  Instant agentSilentUntil;
  Instant agentSilentSince;
  Instant platformSilentUntil;
  Instant platformSilentSince;
  Instant troubled;
  Duration recovery = Duration.ZERO;
  int segments;

  SimServer(int id, boolean broker, boolean controller, Instant now) {
    this.id = id;
    this.broker = broker;
    this.controller = controller;
    Instant before = now.minus(Duration.ofHours(1));
    this.process = before;
    this.since = before;
    this.caughtUpAt = now;
    this.agentSilentUntil = before;
    this.agentSilentSince = before;
    this.platformSilentUntil = before;
    this.platformSilentSince = before;
    this.troubled = before;
  }

  Set<Role> roles() {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    if (broker) {
      roles.add(Role.BROKER);
    }
    if (controller) {
      roles.add(Role.CONTROLLER);
    }
    return roles;
  }

  void become(State next, Instant now) {
    state = next;
    since = now;
  }

  boolean serves() {
    return state == State.UP && !fenced;
  }

  /** A combined server votes while its broker still recovers. */
  boolean votes() {
    return controller && (state == State.UP || state == State.RECOVERING);
  }

  boolean agentSilent(Instant now) {
    return now.isBefore(agentSilentUntil);
  }

  boolean platformSilent(Instant now) {
    return now.isBefore(platformSilentUntil);
  }

  /** What is left of a recovery, which goes on evenly. */
  int segmentsLeft(Instant now) {
    long done = Duration.between(since, now).toMillis();
    long all = Math.max(1, recovery.toMillis());
    return (int) Math.max(1, segments - segments * done / all);
  }

  @Override
  public String toString() {
    return id + " " + state + (fenced ? " fenced" : "") + " " + running;
  }
}
