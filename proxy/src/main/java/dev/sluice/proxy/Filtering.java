package dev.sluice.proxy;

import dev.sluice.filter.RequestHeader;
import dev.sluice.protocol.DecodedRequest;
import dev.sluice.protocol.DecodedResponse;
import dev.sluice.protocol.MalformedFrameException;
import dev.sluice.protocol.RequestPeek;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * The filters on the way of one connection. What they want comes here whole, is decoded, and goes
 * on encoded anew. Order is kept by waiting: while a filter has a request the client is not read,
 * and while one has a response nothing that comes after it is given.
 *
 * <p>Messages are decoded from memory that the garbage collector owns: a filter that answers late,
 * or never, can at worst look at what nobody needs any more. Belongs to the connection's event
 * loop.
 */
final class Filtering {

  /** What becomes of a request that has passed the filters. */
  enum Fate {
    FORWARDED,
    /** The same, and it gets no answer. */
    ONE_WAY,
    /** It is kept to be answered in the broker's place. */
    HELD
  }

  private static final long NONE = -1;

  private final ClientConnection connection;
  private final InFlight inFlight;

  /** Of requests that filters have seen, until they are answered; as many as are in flight. */
  private final Map<Long, Passage> passages = new HashMap<>();

  /** A request that filters have, or will have when it is whole; {@link #NONE} if there is none. */
  private long undecided = NONE;

  private boolean asking;
  private boolean answering;

  Filtering(ClientConnection connection) {
    this.connection = connection;
    this.inFlight = connection.inFlight();
  }

  /** Whether some filter has a request that is not forwarded yet. */
  boolean isAsking() {
    return asking;
  }

  /** Whether some filter has the response whose turn it is. */
  boolean isAnswering() {
    return answering;
  }

  /** Whether filters have not said yet what becomes of a request. */
  boolean isUndecided(long position) {
    return undecided == position;
  }

  /** The request that was asked last, and gets an answer, will come here when it is whole. */
  void expect() {
    undecided = inFlight.nextPosition() - 1;
  }

  /** Whether some filter wants the request that was just peeked. */
  boolean wantsRequest(RequestPeek peek) {
    return chain().wantsRequest(peek.apiKey(), peek.apiVersion())
        || (peek.transactional() && chain().wantsTransactionalProduce(peek.apiVersion()));
  }

  boolean wantsResponse(short key, short version) {
    return chain().wantsResponse(key, version);
  }

  private FilterChain chain() {
    return connection.generation().filters();
  }

  // ---- requests ------------------------------------------------------------------------------

  /**
   * Takes the request that was asked last.
   *
   * @param frame whole, its length first; released
   */
  void request(ByteBuf frame, Fate fate) {
    asking = true;
    try {
      var request = DecodedRequest.of(frame);
      var header = request.header();
      var passage =
          passage(
              new RequestHeader(
                  header.requestApiKey(),
                  header.requestApiVersion(),
                  header.correlationId(),
                  header.clientId()));
      passage.request(request.body(), new Request(request, passage, fate));
    } catch (MalformedFrameException e) {
      connection.end(DisconnectCause.BAD_REQUEST, e.getMessage());
    } finally {
      frame.release();
    }
    if (asking) {
      connection.pause(ClientConnection.Pause.FILTERING);
    }
  }

  private Passage passage(RequestHeader header) {
    var client = connection.client();
    return new Passage(chain(), header, connection.from(), client.eventLoop());
  }

  /** Where a request's way ends. */
  private final class Request implements Passage.Ends {
    private final DecodedRequest request;
    private final Passage passage;
    private final Fate fate;
    private final long position;

    Request(DecodedRequest request, Passage passage, Fate fate) {
      this.request = request;
      this.passage = passage;
      this.fate = fate;
      this.position = inFlight.nextPosition() - 1;
    }

    private RequestHeaderData header() {
      return request.header();
    }

    @Override
    public void reached(ApiMessage body) {
      if (connection.isEnding()) {
        return;
      }
      try {
        var bytes = request.with(body).framed(connection.client().alloc());
        if (fate != Fate.ONE_WAY
            && wantsResponse(header().requestApiKey(), header().requestApiVersion())) {
          passages.put(position, passage);
        }
        switch (fate) {
          case FORWARDED -> connection.brokerSide().forward(bytes, 0);
          case ONE_WAY -> connection.brokerSide().forward(bytes, 1);
          case HELD -> connection.clientSide().held(bytes);
        }
        asked();
      } catch (MalformedFrameException e) {
        connection.end(DisconnectCause.FILTERED, e.getMessage());
      } catch (OutOfMemoryError e) {
        connection.parting().clientFailed(e);
      }
    }

    @Override
    public void answered(ApiMessage response) {
      if (connection.isEnding()) {
        return;
      }
      try {
        switch (fate) {
          case FORWARDED -> connection.clientSide().answerInstead(position, framed(response));
          case ONE_WAY -> connection.brokerSide().oneWayEnded();
          case HELD -> connection.clientSide().heldAnswer(position, framed(response));
        }
        asked();
      } catch (MalformedFrameException e) {
        connection.end(DisconnectCause.FILTERED, e.getMessage());
      } catch (OutOfMemoryError e) {
        connection.parting().clientFailed(e);
      }
    }

    private ByteBuf framed(ApiMessage response) throws MalformedFrameException {
      short key = header().requestApiKey();
      return DecodedResponse.to(key, header().correlationId(), response)
          .framed(key, header().requestApiVersion(), connection.client().alloc());
    }

    @Override
    public void closed(String why) {
      connection.end(DisconnectCause.FILTERED, why);
    }
  }

  /** The filters are done with the request; the client is read on. */
  private void asked() {
    asking = false;
    undecided = NONE;
    connection.clientSide().answerDue();
    connection.resume(ClientConnection.Pause.FILTERING);
    connection.parting().endIfClientLeft();
  }

  // ---- responses -----------------------------------------------------------------------------

  /**
   * Takes the response whose turn it is.
   *
   * @param frame whole, its length first; released
   * @param then gets the response as it goes to the client; nothing if the connection ends
   */
  void response(long position, ByteBuf frame, Consumer<ByteBuf> then) {
    short key = inFlight.apiKey(position);
    short version = inFlight.version(position);
    var passage = passages.remove(position);
    if (passage == null) {
      passage =
          passage(
              new RequestHeader(
                  key,
                  version,
                  inFlight.correlationId(position),
                  connection.introduction().clientId()));
    }
    answering = true;
    try {
      var response = DecodedResponse.of(key, version, frame);
      passage.response(response.body(), new Response(response, key, version, then));
    } catch (MalformedFrameException e) {
      connection.end(DisconnectCause.BAD_RESPONSE, e.getMessage());
    } finally {
      frame.release();
    }
  }

  /** Where a response's way ends. */
  private final class Response implements Passage.Ends {
    private final DecodedResponse response;
    private final short key;
    private final short version;
    private final Consumer<ByteBuf> then;

    Response(DecodedResponse response, short key, short version, Consumer<ByteBuf> then) {
      this.response = response;
      this.key = key;
      this.version = version;
      this.then = then;
    }

    @Override
    public void reached(ApiMessage body) {
      if (connection.isEnding()) {
        return;
      }
      try {
        var bytes = response.with(body).framed(key, version, connection.client().alloc());
        answering = false;
        then.accept(bytes);
      } catch (MalformedFrameException e) {
        connection.end(DisconnectCause.FILTERED, e.getMessage());
      } catch (OutOfMemoryError e) {
        connection.parting().clientFailed(e);
      }
    }

    @Override
    public void answered(ApiMessage body) {
      throw new IllegalStateException("expected no answer to a response, found " + body);
    }

    @Override
    public void closed(String why) {
      connection.end(DisconnectCause.FILTERED, why);
    }
  }

  /** The connection ends. */
  void release() {
    passages.clear();
    asking = false;
    answering = false;
  }
}
