package dev.sluice.simulation.quiet;

import dev.sluice.lifecycle.quiet.Client;
import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import dev.sluice.lifecycle.quiet.Terms.Way;
import dev.sluice.simulation.Chance;
import java.time.Duration;
import java.util.List;

/**
 * How one world is: drawn once, at its beginning.
 *
 * @param calm whether nothing goes wrong in it
 * @param pauses whether the client does what it is asked for
 * @param known what the proxy believes of that
 * @param latency from the client to the proxy, and back
 * @param slowness how much later the client reads what has arrived, and its socket takes what is
 *     written, at most; in milliseconds
 * @param pipeline how many requests the client has in flight, at most
 * @param interval between two things that the client wants to ask
 * @param brokerMillis how long an ordinary request takes, at most
 */
record Habits(
    boolean calm,
    boolean pauses,
    Courtesy known,
    Duration latency,
    int slowness,
    int pipeline,
    Duration interval,
    int brokerMillis,
    List<Ask> asks,
    boolean carries,
    boolean leaves,
    boolean halfOpen,
    boolean upstreamFails,
    boolean switchFails,
    Way way,
    Duration pause,
    Duration drainTimeout,
    Duration markAfter,
    boolean idleFromMark) {

  /** What a client may ask. */
  record Ask(String api, Kind kind, Duration maxWait, WhenLate whenLate, boolean oneWay) {
    static Ask of(String api, Kind kind, int maxWait, WhenLate whenLate) {
      return new Ask(api, kind, Duration.ofMillis(maxWait), whenLate, false);
    }
  }

  private static final Ask PRODUCE = Ask.of("produce", Kind.ORDINARY, 0, WhenLate.ANSWERED);
  private static final Ask ONE_WAY =
      new Ask("produce", Kind.ORDINARY, Duration.ZERO, WhenLate.FORWARDED, true);
  private static final Ask FETCH = Ask.of("fetch", Kind.POLL, 500, WhenLate.ANSWERED);
  private static final Ask LONG_FETCH = Ask.of("fetch", Kind.POLL, 30_000, WhenLate.ANSWERED);
  private static final Ask METADATA = Ask.of("metadata", Kind.ORDINARY, 0, WhenLate.FORWARDED);
  private static final Ask ADMIN = Ask.of("alter", Kind.ORDINARY, 0, WhenLate.CLOSED);
  private static final Ask JOIN = Ask.of("join", Kind.GROUP_WAIT, 0, WhenLate.ANSWERED);
  private static final Ask SHARE = Ask.of("share fetch", Kind.SHARING, 0, WhenLate.FORWARDED);
  private static final Ask SHARE_POLL =
      Ask.of("share fetch", Kind.SHARE_POLL, 500, WhenLate.ANSWERED);

  /** In a calm world there is nothing that waits for others, and nothing that shares. */
  private static final List<List<Ask>> CALM_CLIENTS =
      List.of(
          List.of(PRODUCE),
          List.of(PRODUCE, PRODUCE, METADATA),
          List.of(FETCH),
          List.of(FETCH, METADATA),
          List.of(PRODUCE, ONE_WAY),
          List.of(ONE_WAY));

  private static final List<List<Ask>> CLIENTS =
      List.of(
          List.of(PRODUCE),
          List.of(PRODUCE, ONE_WAY),
          List.of(ONE_WAY),
          List.of(FETCH, FETCH, METADATA),
          List.of(LONG_FETCH, PRODUCE, METADATA),
          List.of(LONG_FETCH),
          List.of(JOIN, METADATA, PRODUCE, PRODUCE),
          List.of(SHARE, SHARE_POLL),
          List.of(ADMIN, METADATA),
          List.of(PRODUCE, FETCH, METADATA, SHARE_POLL, ONE_WAY, ADMIN));

  static Habits of(Chance chance) {
    return chance.onceIn(2) ? calm(chance) : wild(chance);
  }

  private static Habits calm(Chance chance) {
    return new Habits(
        true,
        true,
        chance.oneOf(List.of(Courtesy.HONOURS, Courtesy.UNKNOWN)),
        Duration.ofMillis(chance.between(0, 25)),
        0,
        chance.between(1, 5),
        chance.millis(1, 40),
        chance.between(1, 15),
        chance.oneOf(CALM_CLIENTS),
        true,
        false,
        false,
        false,
        false,
        chance.oneOf(List.of(Way.values())),
        chance.millis(50, 200),
        chance.millis(5_000, 12_000),
        chance.millis(100, 900),
        chance.onceIn(5));
  }

  private static Habits wild(Chance chance) {
    boolean pauses = !chance.onceIn(3);
    return new Habits(
        false,
        pauses,
        chance.onceIn(2) ? Courtesy.UNKNOWN : pauses ? Courtesy.HONOURS : Courtesy.IGNORES,
        Duration.ofMillis(chance.between(0, 60)),
        chance.onceIn(3) ? chance.between(20, 400) : 0,
        chance.between(1, 5),
        chance.millis(1, chance.onceIn(4) ? 2_000 : 60),
        chance.onceIn(3) ? chance.between(100, 3_000) : chance.between(1, 40),
        chance.oneOf(CLIENTS),
        !chance.onceIn(4),
        chance.onceIn(8),
        chance.onceIn(8),
        chance.onceIn(10),
        chance.onceIn(6),
        chance.oneOf(List.of(Way.values())),
        chance.millis(50, 200),
        chance.onceIn(10) ? Duration.ZERO : chance.millis(10, 8_000),
        chance.millis(0, 900),
        chance.onceIn(8));
  }

  /** As the proxy knows it: the round trip is measured, and a little too long. */
  Client client(boolean sharing) {
    return new Client(known, latency.multipliedBy(2).plusMillis(3).toNanos(), sharing);
  }
}
