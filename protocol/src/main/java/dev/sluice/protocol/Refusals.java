package dev.sluice.protocol;

import dev.sluice.protocol.Refusal.AnswerError;
import dev.sluice.protocol.Refusal.AnswerNothing;
import dev.sluice.protocol.Refusal.ForwardElseClose;
import dev.sluice.protocol.Refusal.ForwardElseError;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ShareFetchRequest;
import org.jspecify.annotations.Nullable;

/**
 * How a request is refused so that its client comes back elsewhere and complains to nobody: the
 * table, and the answers that it asks for, built by Kafka's own request classes.
 *
 * <p>Says nothing of when to refuse. No state; any thread may call.
 */
public final class Refusals {

  private static final RefusalTable TABLE = new RefusalTable();

  private static final Refusal UNKNOWN =
      new ForwardElseClose("not known here: only a broker can say what it takes");

  private Refusals() {}

  /** What becomes of a request. Every API and version has an answer, also those unknown. */
  public static Refusal of(short key, short version, RequestTrait trait) {
    if (!Apis.known(key, version)) {
      return UNKNOWN;
    }
    for (var row : TABLE.rows(ApiKeys.forId(key))) {
      if (row.fits(version, trait)) {
        return row.refusal();
      }
    }
    throw new IllegalStateException("expected a last row for all, found none: " + Apis.name(key));
  }

  /**
   * Answers a request in the broker's place, as far as the client takes that quietly.
   *
   * @param request whole, its length first; neither changed nor released
   * @param throttleMillis how long the client is to pause, in milliseconds: written wherever there
   *     is a place for it
   * @return a new frame, its length first, which the caller owns; null if there is no such answer,
   *     or the request does not parse: then close the connection
   */
  public static @Nullable ByteBuf answer(
      ByteBuf request, int throttleMillis, ByteBufAllocator allocator) {
    var in = new ByteBufferAccessor(request.nioBuffer());
    if (in.remaining() < FrameCheck.LENGTH_BYTES + FrameCheck.SHORTEST_REQUEST
        || in.readInt() != in.remaining()) {
      return null;
    }
    var key = request.getShort(request.readerIndex() + FrameCheck.LENGTH_BYTES);
    var version = request.getShort(request.readerIndex() + FrameCheck.LENGTH_BYTES + Short.BYTES);
    if (!answerable(key, version)) {
      return null;
    }
    try {
      var header = new RequestHeaderData(in, Apis.requestHeaderVersion(key, version));
      var asked = AbstractRequest.parseRequest(ApiKeys.forId(key), version, in).request;
      return in.remaining() > 0
          ? null
          : answer(asked, header.correlationId(), throttleMillis, allocator);
    } catch (RuntimeException _) {
      // The request classes throw whatever comes up. Nobody can tell what the client would accept.
      return null;
    }
  }

  /** Whether parsing can pay. */
  private static boolean answerable(short key, short version) {
    if (Apis.known(key, version)) {
      for (var row : TABLE.rows(ApiKeys.forId(key))) {
        if (version <= row.newest() && !(row.refusal() instanceof ForwardElseClose)) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable ByteBuf answer(
      AbstractRequest asked, int correlationId, int throttleMillis, ByteBufAllocator allocator) {
    return switch (of(asked.apiKey().id, asked.version(), trait(asked))) {
      case ForwardElseClose _ -> null;
      case AnswerNothing _ -> nothing(asked, correlationId, throttleMillis, allocator);
      case AnswerError(var code, _) -> error(asked, code, correlationId, throttleMillis, allocator);
      case ForwardElseError(var code, _) ->
          error(asked, code, correlationId, throttleMillis, allocator);
    };
  }

  private static RequestTrait trait(AbstractRequest asked) {
    return switch (asked) {
      case ProduceRequest produce when produce.acks() == 0 -> RequestTrait.UNANSWERED;
      case InitProducerIdRequest init when init.data().transactionalId() != null ->
          RequestTrait.TRANSACTIONAL;
      case ShareFetchRequest fetch when acknowledges(fetch) -> RequestTrait.ACKNOWLEDGING;
      default -> RequestTrait.PLAIN;
    };
  }

  private static boolean acknowledges(ShareFetchRequest fetch) {
    return fetch.data().topics().stream()
        .flatMap(topic -> topic.partitions().stream())
        .anyMatch(partition -> !partition.acknowledgementBatches().isEmpty());
  }

  private static ByteBuf nothing(
      AbstractRequest asked, int correlationId, int throttleMillis, ByteBufAllocator allocator) {
    var version = asked.version();
    return asked instanceof FetchRequest fetch
        ? EmptyFetch.answer(
            version, correlationId, throttleMillis, fetch.data().sessionId(), allocator)
        : EmptyFetch.shareAnswer(version, correlationId, throttleMillis, allocator);
  }

  private static ByteBuf error(
      AbstractRequest asked,
      short code,
      int correlationId,
      int throttleMillis,
      ByteBufAllocator allocator) {
    var key = asked.apiKey().id;
    var version = asked.version();
    var answer = asked.getErrorResponse(0, Errors.forCode(code).exception());
    if (Throttle.carried(key, version)) {
      // Some classes leave out the throttle that they are given with the error.
      answer.maybeSetThrottleTimeMs(throttleMillis);
    }
    var header = new ResponseHeaderData().setCorrelationId(correlationId);
    var headerVersion = Apis.responseHeaderVersion(key, version);
    return Messages.framed(header, headerVersion, answer.data(), version, allocator);
  }
}
