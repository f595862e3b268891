package dev.sluice.proxy;

import dev.sluice.lifecycle.quiet.Request;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.Refusal;
import dev.sluice.protocol.Refusals;
import dev.sluice.protocol.RequestTrait;
import dev.sluice.protocol.Throttle;
import java.util.concurrent.TimeUnit;

/**
 * What a request is to a connection that goes quiet: Kafka's table in the words of the decision.
 */
final class Requests {

  // The keys of the APIs that matter here, as Kafka numbers them.
  static final short FETCH = 1;

  static final short SHARE_FETCH = 78;

  private static final short JOIN_GROUP = 11;
  private static final short SYNC_GROUP = 14;
  private static final short SASL_HANDSHAKE = 17;
  private static final short API_VERSIONS = 18;
  private static final short SASL_AUTHENTICATE = 36;
  private static final short SHARE_GROUP_HEARTBEAT = 76;
  private static final short SHARE_ACKNOWLEDGE = 79;

  private Requests() {}

  /** Whether an upstream connection that was used for it may hold records of a share group. */
  static boolean isAboutSharedRecords(short key) {
    return key == SHARE_FETCH || key == SHARE_ACKNOWLEDGE;
  }

  /** Whether it says to the broker who the client is. */
  static boolean isAuthentication(short key) {
    return key == SASL_HANDSHAKE || key == SASL_AUTHENTICATE;
  }

  /** A request that was forwarded before the mark. */
  static Request of(long number, InFlight inFlight) {
    int wait = inFlight.maxWaitMillis(number);
    return of(number, inFlight.apiKey(number), inFlight.version(number), wait, RequestTrait.PLAIN);
  }

  /**
   * A request that was just read.
   *
   * @param maxWaitMillis how long the broker may sit on it; negative where it is no poll, or one
   *     whose wait could not be read
   */
  static Request of(long number, short key, short version, int maxWaitMillis, RequestTrait trait) {
    return new Request(
        number,
        Apis.name(key),
        kind(key, maxWaitMillis, trait),
        TimeUnit.MILLISECONDS.toNanos(Math.max(0, maxWaitMillis)),
        whenLate(key, version, trait),
        Throttle.carried(key, version) && Throttle.honoured(key, version));
  }

  private static Kind kind(short key, int maxWaitMillis, RequestTrait trait) {
    return switch (key) {
      case FETCH -> maxWaitMillis < 0 ? Kind.ORDINARY : Kind.POLL;
      case SHARE_FETCH ->
          trait == RequestTrait.ACKNOWLEDGING || maxWaitMillis < 0 ? Kind.SHARING : Kind.SHARE_POLL;
      case SHARE_ACKNOWLEDGE, SHARE_GROUP_HEARTBEAT -> Kind.SHARING;
      case JOIN_GROUP, SYNC_GROUP -> Kind.GROUP_WAIT;
      case API_VERSIONS, SASL_HANDSHAKE, SASL_AUTHENTICATE -> Kind.HANDSHAKE;
      default -> Kind.ORDINARY;
    };
  }

  private static WhenLate whenLate(short key, short version, RequestTrait trait) {
    return switch (Refusals.of(key, version, trait)) {
      case Refusal.AnswerError _, Refusal.AnswerNothing _ -> WhenLate.ANSWERED;
      case Refusal.ForwardElseError _, Refusal.ForwardElseClose _ -> WhenLate.FORWARDED;
    };
  }
}
