package dev.sluice.simulation.quiet;

import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.simulation.Chance;
import dev.sluice.simulation.VirtualTime;
import dev.sluice.simulation.quiet.SimConnection.Entry;
import java.time.Duration;
import java.time.Instant;

/** A broker: of one connection it does one thing after the other. */
final class SimBroker {

  private final QuietWorld world;
  private final Chance chance;
  private final VirtualTime time;
  private Instant freeAt = Instant.MIN;
  private boolean ended;
  private int connection;

  SimBroker(QuietWorld world) {
    this.world = world;
    chance = world.chance();
    time = world.time();
  }

  boolean hasEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }

  /** The connection is another one: what is owed on this one does not come. */
  void beAnother() {
    connection++;
    freeAt = time.now();
  }

  /** A request is here to its last byte. */
  void serve(Entry entry) {
    if (ended) {
      return;
    }
    int on = connection;
    freeAt = SimClient.later(freeAt, time.now()).plus(duration(entry));
    time.at(
        freeAt,
        () -> {
          if (!ended && on == connection) {
            world.connection().respond(entry);
          }
        });
    freeAt = freeAt.plusNanos(chance.between(0, 500_000));
    var end = freeAt;
    time.at(
        end,
        () -> {
          if (!ended && on == connection) {
            world.connection().responded(entry);
          }
        });
  }

  private Duration duration(Entry entry) {
    var work = Duration.ofNanos(1_000L * chance.between(50, world.habits().brokerMillis() * 1_000));
    return switch (entry.ask().kind()) {
      case POLL, SHARE_POLL -> chance.onceIn(3) ? work : entry.ask().maxWait().plus(work);
      case GROUP_WAIT -> chance.millis(1, 120_000);
      case ORDINARY, SHARING, HANDSHAKE -> work;
    };
  }

  /** What a broker that protects itself asks for in a response, now and then. */
  Duration ownThrottle() {
    return !world.habits().calm() && chance.onceIn(20) ? chance.millis(1, 400) : Duration.ZERO;
  }

  static boolean carries(Kind kind, Habits habits) {
    return habits.carries() && kind != Kind.SHARING && kind != Kind.SHARE_POLL;
  }
}
