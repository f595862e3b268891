package dev.sluice.proxy;

import dev.sluice.filter.Inquirer;
import dev.sluice.protocol.Apis;
import dev.sluice.protocol.DecodedRequest;
import dev.sluice.protocol.DecodedResponse;
import dev.sluice.protocol.FrameCheck;
import dev.sluice.protocol.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * What one filter asks the Kafka cluster on its own account: over one connection, made when there
 * is something to ask, in order. Everything but {@link #ask} is done on one event loop. What is not
 * answered in time ends the connection: what was asked after it would be late, too.
 */
final class Inquiries implements Inquirer {

  /** Bound on an answer, in bytes. */
  static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;

  private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

  /** Behind the length, the API's key and its version. */
  private static final int CORRELATION_ID_AT = FrameCheck.LENGTH_BYTES + 2 * Short.BYTES;

  private final FilterSpec filter;
  private final Upstream upstream;
  private final EventLoop loop;

  private final AtomicInteger open = new AtomicInteger();

  /** The same as futures, for an event loop that takes nothing more. */
  private final Set<CompletableFuture<ApiMessage>> unanswered = ConcurrentHashMap.newKeySet();

  /** In the order of asking; at most as many as may be open. */
  private final Queue<Question> questions = new ArrayDeque<>();

  private @Nullable Channel channel;
  private boolean dialling;
  private boolean closed;
  private int asked;

  Inquiries(FilterSpec filter, Upstream upstream, EventLoop loop) {
    this.filter = filter;
    this.upstream = upstream;
    this.loop = loop;
  }

  @Override
  @SuppressWarnings("UndefinedEquals") // Each is itself, and that is what is meant.
  public CompletionStage<ApiMessage> ask(ApiMessage request, short version) {
    var answer = new CompletableFuture<ApiMessage>();
    int now = open.incrementAndGet();
    unanswered.add(answer);
    answer.whenComplete(
        (_, _) -> {
          unanswered.remove(answer);
          open.decrementAndGet();
        });
    if (now > MAX_OPEN) {
      answer.completeExceptionally(
          failure("expected at most " + MAX_OPEN + " open questions, found one more"));
      return answer.minimalCompletionStage();
    }
    try {
      var frame = frame(request, version);
      var question = new Question(request.apiKey(), version, frame, answer);
      loop.execute(() -> take(question));
    } catch (IllegalArgumentException e) {
      answer.completeExceptionally(e);
    } catch (RejectedExecutionException _) {
      answer.completeExceptionally(isClosed());
    }
    return answer.minimalCompletionStage();
  }

  /** Written in memory that nobody has to release; the correlation id comes later. */
  private ByteBuf frame(ApiMessage request, short version) {
    if (request instanceof ProduceRequestData produce && produce.acks() == 0) {
      throw new IllegalArgumentException("expected a request with an answer, found acks=0");
    }
    if (!Apis.known(request.apiKey(), version)) {
      throw new IllegalArgumentException(
          "expected a version of %s that is known here, found %d"
              .formatted(Apis.name(request.apiKey()), version));
    }
    var header =
        new RequestHeaderData()
            .setRequestApiKey(request.apiKey())
            .setRequestApiVersion(version)
            .setClientId("sluice-filter-" + filter.name());
    var none = ApiMessageType.fromApiKey(request.apiKey()).newRequest();
    try {
      var frame = new DecodedRequest(header, none).with(request);
      return frame.framed(HEAP);
    } catch (MalformedFrameException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** One question that is open. */
  private static final class Question {
    final short key;
    final short version;
    final ByteBuf frame;
    final CompletableFuture<ApiMessage> answer;
    int correlationId;
    @Nullable Future<?> timer;

    Question(short key, short version, ByteBuf frame, CompletableFuture<ApiMessage> answer) {
      this.key = key;
      this.version = version;
      this.frame = frame;
      this.answer = answer;
    }

    void fail(Throwable why) {
      stopTimer();
      answer.completeExceptionally(why);
    }

    void stopTimer() {
      if (timer != null) {
        timer.cancel(false);
      }
    }
  }

  // ---- on the event loop ---------------------------------------------------------------------

  private void take(Question question) {
    if (closed) {
      question.fail(isClosed());
      return;
    }
    questions.add(question);
    question.timer =
        loop.schedule(
            () -> tooLate(question), filter.timeLimit().toMillis(), TimeUnit.MILLISECONDS);
    if (channel != null) {
      write(channel, question);
    } else if (!dialling) {
      dialling = true;
      upstream.dial(OptionalInt.empty(), loop).addListener(this::dialled);
    }
  }

  private void dialled(Future<? super Channel> attempt) {
    dialling = false;
    if (!attempt.isSuccess()) {
      failAll(failure("no broker could be reached: " + attempt.cause().getMessage()));
      return;
    }
    var reached = (Channel) attempt.getNow();
    if (closed || questions.isEmpty()) {
      reached.close();
      return;
    }
    channel = reached;
    reached
        .pipeline()
        .addLast(new LengthFieldBasedFrameDecoder(MAX_ANSWER_BYTES, 0, FrameCheck.LENGTH_BYTES))
        .addLast(new Answers());
    reached.config().setAutoRead(true);
    questions.forEach(question -> write(reached, question));
  }

  private void write(Channel to, Question question) {
    question.correlationId = asked++;
    question.frame.setInt(CORRELATION_ID_AT, question.correlationId);
    to.writeAndFlush(question.frame);
  }

  private void tooLate(Question question) {
    if (questions.remove(question)) {
      question.fail(
          failure(
              "expected an answer within its timeLimit of %d ms, found none"
                  .formatted(filter.timeLimit().toMillis())));
      if (channel != null) {
        channel.close();
      }
    }
  }

  private void failAll(Throwable why) {
    var all = new ArrayList<>(questions);
    questions.clear();
    all.forEach(question -> question.fail(why));
  }

  private IOException isClosed() {
    return failure("expected a filter that is in use, found it closed");
  }

  private IOException failure(String why) {
    return new IOException("filter '" + filter.name() + "' asks the Kafka cluster: " + why);
  }

  /** Nothing is answered any more. Safe from every thread. */
  void close() {
    try {
      loop.execute(
          () -> {
            closed = true;
            failAll(isClosed());
            if (channel != null) {
              channel.close();
            }
          });
    } catch (RejectedExecutionException _) {
      // The proxy has ended, all its connections with it, and who dialled is told nothing.
      unanswered.forEach(answer -> answer.completeExceptionally(isClosed()));
    }
  }

  /** What a broker says. */
  private final class Answers extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var frame = (ByteBuf) message;
      try {
        answered(frame, context.channel());
      } finally {
        frame.release();
      }
    }

    private void answered(ByteBuf frame, Channel from) {
      var question = questions.peek();
      int correlationId = frame.getInt(frame.readerIndex() + FrameCheck.LENGTH_BYTES);
      if (question == null || question.correlationId != correlationId) {
        from.close();
        return;
      }
      questions.remove();
      question.stopTimer();
      try {
        var copy = Unpooled.copiedBuffer(frame);
        question.answer.complete(DecodedResponse.of(question.key, question.version, copy).body());
      } catch (MalformedFrameException e) {
        question.fail(failure(String.valueOf(e.getMessage())));
      }
    }

    /** It will not answer any more. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        context.close();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      channel = null;
      failAll(
          failure(
              "expected an answer, found the connection closed; does the listener want"
                  + " authentication, which filters have not?"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      context.close();
    }
  }
}
