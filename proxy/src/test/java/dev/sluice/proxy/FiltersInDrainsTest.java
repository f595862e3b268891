package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.ResponseVerdict;
import dev.sluice.filter.Wanted;
import dev.sluice.lifecycle.ClusterState;
import dev.sluice.lifecycle.quiet.Bounds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicCollection;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a drain answers in the broker's place is a whole exchange to filters, like any other. */
class FiltersInDrainsTest {

  private static final int FETCH = 12;
  private static final int CREATE = 7;

  /** What a client has sent of a request whose header nobody can read yet: it is not quiet. */
  private static final int BEGINNING = 6;

  private static final Wanted CREATIONS =
      Wanted.NOTHING.andRequests(ApiKeys.CREATE_TOPICS).andResponses(ApiKeys.CREATE_TOPICS);
  private static final Wanted POLLS =
      Wanted.NOTHING.andRequests(ApiKeys.FETCH).andResponses(ApiKeys.FETCH);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_refused_request_passes_the_filters_as_if_a_broker_had_refused_it(boolean later)
      throws Exception {
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    var renaming =
        new ScriptedFilter(CREATIONS)
            .onRequest(
                (exchange, body) -> {
                  exchange.keep("kept");
                  topic(body).setName("x.t");
                  return perhaps(later, RequestVerdict.forward(body));
                })
            .onResponse(
                (exchange, body) -> {
                  var result = result(body);
                  seen.add(exchange.kept(String.class) + " " + result.name());
                  result.setName(result.name().substring("x.".length()));
                  return perhaps(later, ResponseVerdict.forward(body));
                });
    var answer = refused(renaming);

    assertThat(answer.name()).isEqualTo("t");
    assertThat(answer.errorCode()).isEqualTo(Errors.NOT_CONTROLLER.code());
    assertThat(seen).containsExactly("kept x.t");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_a_filter_answers_to_a_refused_request_is_what_the_client_is_told(boolean later)
      throws Exception {
    var answering =
        new ScriptedFilter(CREATIONS)
            .onRequest(
                (_, body) -> {
                  var response = new CreateTopicsResponseData();
                  response
                      .topics()
                      .add(
                          new CreatableTopicResult()
                              .setName(topic(body).name())
                              .setErrorCode(Errors.POLICY_VIOLATION.code()));
                  return perhaps(later, RequestVerdict.answer(response));
                });

    var answer = refused(answering);

    assertThat(answer.errorCode()).isEqualTo(Errors.POLICY_VIOLATION.code());
    assertThat(answering.responses).isEmpty();
  }

  /** What a client hears of a request that it sends while its connection is drained. */
  private static CreatableTopicResult refused(ScriptedFilter filter) throws Exception {
    var poll = poll(1);
    var create = create(2);
    try (var broker = greeting();
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      greet(client);
      client.write(Frames.joined(poll, beginning(create)));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      var _ = proxy.proxy().stop("now");
      assertThat(client.frame()).isEqualTo(nothing(1, (int) Bounds.PAUSE.toMillis()));
      client.write(create, BEGINNING, create.length);
      var answer =
          new CreateTopicsResponseData(
              Frames.body(ApiKeys.CREATE_TOPICS, CREATE, client.frame()), (short) CREATE);
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitEnded();
      assertThat(broker.failure()).isNull();
      assertThat(proxy.log().aboutConnections()).isEmpty();
      return answer.topics().iterator().next();
    }
  }

  @Test
  void two_polls_that_are_ended_keep_their_order_while_a_filter_takes_its_time() throws Exception {
    var slow =
        new ScriptedFilter(POLLS)
            .onResponse((_, body) -> perhaps(true, ResponseVerdict.forward(body)));
    try (var broker = greeting();
        var proxy = ProxyUnderTest.inFrontOf(broker, slow);
        var client = proxy.connect()) {
      greet(client);
      client.write(Frames.joined(poll(1), poll(2)));
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 2);
      var _ = proxy.proxy().stop("now");
      assertThat(Frames.correlationIdOfResponse(client.frame())).isEqualTo(1);
      assertThat(Frames.correlationIdOfResponse(client.frame())).isEqualTo(2);
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitEnded();
      assertThat(proxy.log().aboutConnections()).isEmpty();
      assertThat(slow.responses).containsExactly(1, 2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_poll_is_not_ended_before_the_filter_that_has_it_has_spoken(boolean answers)
      throws Exception {
    var verdict = new CompletableFuture<RequestVerdict>();
    Queue<ApiMessage> asked = new ConcurrentLinkedQueue<>();
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    var deciding =
        new ScriptedFilter(POLLS)
            .onRequest(
                (exchange, body) -> {
                  exchange.keep("kept");
                  asked.add(body);
                  return verdict;
                })
            .onResponse(
                (exchange, body) -> {
                  seen.add(String.valueOf(exchange.kept(String.class)));
                  return ResponseVerdict.forward(body);
                });
    try (var broker = greeting();
        var proxy = ProxyUnderTest.inFrontOf(broker, deciding);
        var client = proxy.connect()) {
      greet(client);
      client.write(poll(1));
      await().until(asked::size, size -> size == 1);
      var _ = proxy.proxy().stop("now");
      proxy.awaitState(ProxyUnderTest.NAME, ClusterState.Draining.class);
      var said = answers ? RequestVerdict.answer(refusing()) : RequestVerdict.forward(asked.peek());
      said.thenAccept(verdict::complete);
      var answer = new FetchResponseData(body(client.frame()), (short) FETCH);
      assertThat(answer.errorCode()).isEqualTo((short) (answers ? 77 : 0));
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitEnded();
      assertThat(seen).hasSize(answers ? 0 : 1).allMatch("kept"::equals);
      assertThat(proxy.log().aboutConnections()).isEmpty();
    }
  }

  // ---- fixtures ------------------------------------------------------------------------------

  /** Answers a heartbeat, so that the client counts as served, and nothing after that. */
  private static StubBroker greeting() {
    return new StubBroker(
        client -> {
          client.write(Frames.echoed(client.frame()));
          client.readToEnd();
        });
  }

  private static void greet(Peer client) throws IOException {
    client.write(Frames.heartbeat(0));
    client.frame();
  }

  private static <V> CompletionStage<V> perhaps(boolean later, CompletionStage<V> verdict) {
    return later ? verdict.thenApplyAsync(same -> same, later()) : verdict;
  }

  private static Executor later() {
    return CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
  }

  private static byte[] poll(int correlationId) {
    var body = new FetchRequestData().setMaxWaitMs(30_000);
    return Frames.request(ApiKeys.FETCH, FETCH, correlationId, body);
  }

  private static byte[] nothing(int correlationId, int throttle) {
    var body = new FetchResponseData().setThrottleTimeMs(throttle);
    return Frames.response(ApiKeys.FETCH, FETCH, correlationId, body);
  }

  private static FetchResponseData refusing() {
    return new FetchResponseData().setErrorCode((short) 77);
  }

  private static ByteBufferAccessor body(byte[] frame) {
    return Frames.body(ApiKeys.FETCH, FETCH, frame);
  }

  private static byte[] create(int correlationId) {
    var topics = new CreatableTopicCollection();
    topics.add(new CreatableTopic().setName("t").setNumPartitions(1));
    var body = new CreateTopicsRequestData().setTopics(topics);
    return Frames.request(ApiKeys.CREATE_TOPICS, CREATE, correlationId, body);
  }

  private static byte[] beginning(byte[] request) {
    return Arrays.copyOf(request, BEGINNING);
  }

  private static CreatableTopic topic(ApiMessage request) {
    return ((CreateTopicsRequestData) request).topics().iterator().next();
  }

  private static CreatableTopicResult result(ApiMessage response) {
    return ((CreateTopicsResponseData) response).topics().iterator().next();
  }
}
