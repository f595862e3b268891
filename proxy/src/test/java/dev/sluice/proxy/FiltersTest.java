package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.filter.Forward;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.ResponseVerdict;
import dev.sluice.filter.Wanted;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.ClusterState.Way;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.reload.Aspect;
import dev.sluice.protocol.Endpoint;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;

/** Filters see what they want, in order, whenever they answer; nothing else notices them. */
class FiltersTest {

  private static final int HEARTBEAT = 4;
  private static final int FETCH = 12;
  private static final long PAUSE_NANOS = 500_000;
  private static final Executor LATER =
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);
  private static final Wanted REQUESTS = Wanted.NOTHING.andRequests(ApiKeys.HEARTBEAT);
  private static final Wanted RESPONSES = Wanted.NOTHING.andResponses(ApiKeys.HEARTBEAT);

  @Test
  void a_request_is_changed_wherever_the_network_cuts_it() throws Exception {
    var filter = new ScriptedFilter(REQUESTS).onRequest((_, body) -> renamed(body, "x."));
    var conversation =
        Frames.joined(
            Frames.produce(1, 1, 3), Frames.heartbeat(2, 5), Frames.heartbeat(3, 0), other(4));
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, filter)) {
      for (int cut = 1; cut < conversation.length; cut++) {
        try (var client = proxy.connect()) {
          client.write(conversation, 0, cut);
          LockSupport.parkNanos(PAUSE_NANOS); // So that the second part is a read of its own.
          client.write(conversation, cut, conversation.length);
          assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.produce(1, 1, 3)));
          assertThat(client.frame())
              .as("cut %d", cut)
              .isEqualTo(Frames.echoed(named(2, "x.ggggg")));
          assertThat(client.frame()).isEqualTo(Frames.echoed(named(3, "x.")));
          assertThat(client.frame()).isEqualTo(Frames.echoed(other(4)));
        }
      }
    }
  }

  @Test
  void requests_keep_their_order_while_a_filter_takes_its_time() throws Exception {
    var filter =
        new ScriptedFilter(REQUESTS)
            .onRequest(
                (_, body) ->
                    CompletableFuture.supplyAsync(() -> (RequestVerdict) new Forward(body), LATER));
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      var sent =
          Frames.joined(
              Frames.heartbeat(1), Frames.produce(2, 1, 0), Frames.heartbeat(3), other(4));
      client.write(sent);
      client.write(sent);
      for (int id : List.of(1, 2, 3, 4, 1, 2, 3, 4)) {
        assertThat(Frames.correlationIdOfResponse(client.frame())).isEqualTo(id);
      }
    }
  }

  @Test
  void responses_keep_their_order_while_a_filter_takes_its_time() throws Exception {
    var filter =
        new ScriptedFilter(RESPONSES)
            .onResponse((_, body) -> throttled(body, 7).thenApplyAsync(x -> x, LATER));
    var count = 40;
    try (var broker = heartbeats(count);
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      for (int id = 0; id < count; id++) {
        client.write(id % 3 == 0 ? other(id) : Frames.heartbeat(id));
      }
      for (int id = 0; id < count; id++) {
        var expected = id % 3 == 0 ? Frames.answer(id, 10) : beat(id, 7);
        assertThat(client.frame()).as("response %d", id).isEqualTo(expected);
      }
    }
  }

  @Test
  void what_a_filter_answers_the_broker_never_sees_and_comes_in_its_turn() throws Exception {
    var filter =
        new ScriptedFilter(REQUESTS)
            .onRequest(
                (exchange, body) ->
                    exchange.header().correlationId() == 2
                        ? RequestVerdict.answer(new HeartbeatResponseData().setThrottleTimeMs(9))
                        : RequestVerdict.forward(body));
    try (var broker =
            new StubBroker(
                client -> {
                  var first = client.frame();
                  var third = client.frame();
                  client.write(Frames.echoed(first)).write(Frames.echoed(third));
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(Frames.joined(Frames.heartbeat(1), Frames.heartbeat(2), Frames.heartbeat(3)));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      assertThat(client.frame()).isEqualTo(beat(2, 9));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(3)));
    }
  }

  @Test
  void an_answer_passes_the_filters_that_its_request_has_passed_and_no_others() throws Exception {
    var first = new ScriptedFilter(REQUESTS.or(RESPONSES)).onResponse((_, b) -> throttled(b, 3));
    var answering =
        new ScriptedFilter(REQUESTS.or(RESPONSES))
            .onRequest((_, _) -> RequestVerdict.answer(new HeartbeatResponseData()));
    var last = new ScriptedFilter(RESPONSES);
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, first, answering, last);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(5));
      assertThat(client.frame()).isEqualTo(beat(5, 3));
      assertThat(first.responses).containsExactly(5);
      assertThat(answering.responses).isEmpty();
      assertThat(last.responses).isEmpty();
    }
  }

  @Test
  void filters_are_passed_in_order_and_back_in_the_opposite_one() throws Exception {
    var one =
        new ScriptedFilter(REQUESTS.or(RESPONSES))
            .onRequest((_, body) -> renamed(body, "a"))
            .onResponse((_, body) -> throttled(body, 1));
    var two =
        new ScriptedFilter(REQUESTS.or(RESPONSES))
            .onRequest((_, body) -> renamed(body, "b"))
            .onResponse((_, body) -> throttled(body, 2));
    Queue<byte[]> seen = new ConcurrentLinkedQueue<>();
    try (var broker =
            new StubBroker(
                client -> {
                  seen.add(client.frame());
                  client.write(beat(1, 0));
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, one, two);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1, 0));
      assertThat(client.frame()).isEqualTo(beat(1, 1));
      assertThat(seen).containsExactly(named(1, "ba"));
    }
  }

  @Test
  void a_filter_that_closes_fails_or_takes_too_long_ends_the_connection_and_is_named()
      throws Exception {
    endsWith(
        new ScriptedFilter(REQUESTS).onRequest((_, _) -> RequestVerdict.close("not today")),
        "filter 'f0' closes it: not today");
    endsWith(
        new ScriptedFilter(REQUESTS)
            .onRequest(
                (_, _) -> {
                  throw new IllegalStateException("out of ideas");
                }),
        "filter 'f0' failed: java.lang.IllegalStateException: out of ideas");
    endsWith(
        new ScriptedFilter(REQUESTS)
            .onRequest((_, _) -> CompletableFuture.failedFuture(new IOException("no answer"))),
        "filter 'f0' failed: java.io.IOException: no answer");
    endsWith(
        new ScriptedFilter(REQUESTS)
            .onRequest((_, _) -> new CompletableFuture<>())
            .timeLimit(Duration.ofMillis(50)),
        "filter 'f0' took longer than its timeLimit of 50 ms");
    endsWith(
        new ScriptedFilter(REQUESTS)
            .onRequest((_, _) -> RequestVerdict.forward(new ProduceRequestData())),
        "found ProduceRequestData");
  }

  private static void endsWith(ScriptedFilter filter, String why) throws Exception {
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(Frames.joined(Frames.produce(1, 1, 0), Frames.heartbeat(2)));
      client.readToEnd();
      client.leave();
      proxy.awaitDisconnect(DisconnectCause.FILTERED);
      assertThat(proxy.log().aboutConnections()).singleElement().asString().contains(why);
    }
  }

  @Test
  void what_needs_no_answer_reaches_the_broker_though_its_client_has_gone() throws Exception {
    var filter =
        new ScriptedFilter(Wanted.NOTHING.andRequests(ApiKeys.PRODUCE))
            .onRequest(
                (_, body) ->
                    CompletableFuture.supplyAsync(() -> (RequestVerdict) new Forward(body), LATER));
    Queue<byte[]> seen = new ConcurrentLinkedQueue<>();
    try (var broker =
            new StubBroker(
                client -> {
                  for (var f = client.tryFrame(); f.isPresent(); f = client.tryFrame()) {
                    seen.add(f.get());
                  }
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, filter)) {
      try (var client = proxy.connect()) {
        client.write(Frames.joined(Frames.produce(1, 0, 9), Frames.produce(2, 0, 0), other(3)));
      }
      await().untilAsserted(() -> assertThat(seen).hasSize(3));
      assertThat(seen).containsExactly(Frames.produce(1, 0, 9), Frames.produce(2, 0, 0), other(3));
    }
  }

  @Test
  void an_answer_of_the_proxys_own_passes_filters_and_the_brokers_late_one_does_not()
      throws Exception {
    var filter =
        new ScriptedFilter(Wanted.NOTHING.andResponses(ApiKeys.FETCH))
            .onResponse(
                (_, body) -> {
                  ((FetchResponseData) body).setErrorCode((short) 77);
                  return CompletableFuture.supplyAsync(
                      () -> (ResponseVerdict) new Forward(body), LATER);
                });
    var poll = Frames.request(ApiKeys.FETCH, FETCH, 2, new FetchRequestData().setMaxWaitMs(30_000));
    try (var broker =
            new StubBroker(
                client -> {
                  client.write(Frames.echoed(client.frame()));
                  client.readToEnd();
                });
        var proxy = ProxyUnderTest.inFrontOf(broker, filter);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      client.frame();
      client.write(poll);
      await().until(() -> proxy.view().requestsInFlight(), inFlight -> inFlight == 1);
      var _ = proxy.proxy().stop("now");
      var body = Frames.body(ApiKeys.FETCH, FETCH, client.frame());
      assertThat(new FetchResponseData(body, (short) FETCH).errorCode()).isEqualTo((short) 77);
      assertThat(client.readToEnd()).isEmpty();
      client.leave();
      proxy.awaitEnded();
      assertThat(filter.responses).containsExactly(2);
      assertThat(proxy.disconnects(DisconnectCause.DRAINED)).isEqualTo(1);
    }
  }

  @Test
  void filters_change_with_the_generation_while_the_client_keeps_its_connection() throws Exception {
    var former = new ScriptedFilter(REQUESTS).onRequest((_, body) -> renamed(body, "a"));
    var later = new ScriptedFilter(REQUESTS).onRequest((_, body) -> renamed(body, "b"));
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker, former);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.frame()).isEqualTo(Frames.echoed(named(1, "a")));
      Asked.switched(proxy, ScriptedFilter.on(proxy.view().spec(), later), Way.IN_PLACE);
      Asked.untilSettled(proxy);
      client.write(Frames.heartbeat(2));
      assertThat(client.frame()).isEqualTo(Frames.echoed(named(2, "b")));
      await().untilAsserted(() -> assertThat(former.closed).hasValue(1));
      assertThat(later.closed).hasValue(0);
      assertThat(broker.served()).isEqualTo(1);
      client.leave();
    }
    await().untilAsserted(() -> assertThat(later.closed).hasValue(1));
    assertThat(former.closed).hasValue(1);
  }

  @Test
  void other_filters_are_a_change_in_place_and_the_same_are_none() {
    var spec = ProxyUnderTest.cluster("one", new Endpoint("127.0.0.1", 1), 9_000);
    var filter = new ScriptedFilter(REQUESTS);
    var once = Blueprints.of(ScriptedFilter.on(spec, filter));
    assertThat(Blueprints.of(ScriptedFilter.on(spec, new ScriptedFilter(RESPONSES))))
        .isEqualTo(once);
    assertThat(Blueprints.of(ScriptedFilter.on(spec, filter, filter))).isNotEqualTo(once);
    assertThat(Blueprints.of(spec)).isNotEqualTo(once);
  }

  @Test
  void a_filter_that_changes_names_makes_it_another_kafka_for_clients() {
    var spec = ProxyUnderTest.cluster("one", new Endpoint("127.0.0.1", 1), 9_000);
    var plain = Blueprints.of(ScriptedFilter.on(spec, new ScriptedFilter(REQUESTS)));
    var renaming =
        Blueprints.of(ScriptedFilter.on(spec, new ScriptedFilter(REQUESTS).changingNames()));

    assertThat(Blueprints.of(spec).differences(plain)).containsExactly(Aspect.FILTERS);
    assertThat(Blueprints.of(spec).differences(renaming))
        .containsExactly(Aspect.FILTERS, Aspect.NAMES);
  }

  @Test
  void a_filter_that_fails_beside_a_generation_that_serves_leaves_it_alone() throws Exception {
    var failing = new ScriptedFilter(REQUESTS).initializeFails("expected a key, found none");
    try (var broker = StubBroker.echo();
        var proxy = ProxyUnderTest.inFrontOf(broker);
        var client = proxy.connect()) {
      client.write(Frames.heartbeat(1));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      var accepted =
          Asked.of(
              proxy
                  .proxy()
                  .reconfiguration()
                  .accept(ScriptedFilter.on(proxy.view().spec(), failing)));
      Asked.untilPrepared(proxy, accepted.generation());
      assertThat(proxy.view().life().state()).isInstanceOf(Serving.class);
      client.write(Frames.heartbeat(2));
      assertThat(client.frame()).isEqualTo(Frames.echoed(Frames.heartbeat(2)));
      await().untilAsserted(() -> assertThat(failing.closed).hasValue(1));
      client.leave();
    }
  }

  @Test
  void a_filter_that_fails_to_initialize_fails_its_cluster_with_its_sentence_and_no_other()
      throws Exception {
    var sound = new ScriptedFilter(REQUESTS);
    var failing = new ScriptedFilter(REQUESTS).initializeFails("expected a key, found none");
    int bad = FreePorts.inARow(3);
    int good = FreePorts.inARow(3);
    try (var broker = StubBroker.echo();
        var proxy =
            ProxyUnderTest.start(
                NetworkSpec.DEFAULT,
                new FailurePolicy(FailurePolicy.Serve.REMAINING, Optional.empty()),
                List.of(
                    ScriptedFilter.on(
                        ProxyUnderTest.cluster("bad", broker.endpoint(), bad), sound, failing),
                    ScriptedFilter.on(
                        ProxyUnderTest.cluster("good", broker.endpoint(), good), sound)))) {
      proxy.awaitState("good", Serving.class);
      proxy.awaitState("bad", Failed.class);
      var failure =
          ((Failed) proxy.proxy().virtualCluster("bad").orElseThrow().life().state()).failure();
      assertThat(failure.code()).isEqualTo("filter-failed");
      assertThat(failure.cause())
          .contains("filter 'f1' of type Scripted", "expected a key, found none");
      await().untilAsserted(() -> assertThat(failing.closed).hasValue(1));
      await().untilAsserted(() -> assertThat(sound.closed).hasValue(1));
    }
    await().untilAsserted(() -> assertThat(sound.closed).hasValue(2));
    assertThat(sound.made).hasValue(2);
  }

  // ---- fixtures ------------------------------------------------------------------------------

  /** Answers heartbeats as heartbeats and all else with bytes. */
  private static StubBroker heartbeats(int count) {
    return new StubBroker(
        client -> {
          for (int id = 0; id < count; id++) {
            client.frame();
            client.write(id % 3 == 0 ? Frames.answer(id, 10) : beat(id, 0));
          }
          client.readToEnd();
        });
  }

  /** A request that no filter here wants. */
  private static byte[] other(int correlationId) {
    return Frames.request(
        ApiKeys.END_TXN, 3, correlationId, new EndTxnRequestData().setTransactionalId("t"));
  }

  private static byte[] named(int correlationId, String group) {
    return Frames.request(
        ApiKeys.HEARTBEAT,
        HEARTBEAT,
        correlationId,
        new HeartbeatRequestData().setGroupId(group).setMemberId("m"));
  }

  private static byte[] beat(int correlationId, int throttle) {
    return Frames.response(
        ApiKeys.HEARTBEAT,
        HEARTBEAT,
        correlationId,
        new HeartbeatResponseData().setThrottleTimeMs(throttle));
  }

  private static CompletionStage<RequestVerdict> renamed(ApiMessage body, String prefix) {
    var heartbeat = (HeartbeatRequestData) body;
    return RequestVerdict.forward(heartbeat.setGroupId(prefix + heartbeat.groupId()));
  }

  private static CompletionStage<ResponseVerdict> throttled(ApiMessage body, int throttle) {
    return ResponseVerdict.forward(((HeartbeatResponseData) body).setThrottleTimeMs(throttle));
  }
}
