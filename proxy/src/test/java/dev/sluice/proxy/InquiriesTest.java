package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.filter.Forward;
import dev.sluice.filter.Inquirer;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.Wanted;
import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.FailurePolicy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;

/** Filters ask the Kafka cluster on their own account, and no client has to do with it. */
class InquiriesTest {

  private static final short METADATA = 12;
  private static final int METADATA_KEY = ApiKeys.METADATA.id;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Wanted HEARTBEATS = Wanted.NOTHING.andRequests(ApiKeys.HEARTBEAT);

  @Test
  void a_question_has_a_connection_of_its_own_and_counts_for_no_client() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    var asking = new ScriptedFilter(HEARTBEATS);
    asking.onRequest((_, body) -> named(asking.scope().inquirer(), body));
    try (var broker = answering(mayAnswer);
        var proxy = ProxyUnderTest.inFrontOf(broker, asking);
        var client = proxy.connect()) {
      client.write(Frames.joined(Frames.heartbeat(1), Frames.heartbeat(2)));
      // The client's own upstream connection says nothing yet, so that it does not count.
      await().until(broker::served, served -> served == 1);
      assertThat(proxy.view().requestsInFlight()).isEqualTo(1);
      assertThat(proxy.view().connections()).isEqualTo(1);
      mayAnswer.countDown();
      assertThat(client.frame()).isEqualTo(Frames.echoed(heartbeatOf(1, "a-cluster")));
      assertThat(client.frame()).isEqualTo(Frames.echoed(heartbeatOf(2, "a-cluster")));
      assertThat(broker.served()).as("connections").isEqualTo(2);
      client.leave();
    }
  }

  private static CompletionStage<RequestVerdict> named(Inquirer inquirer, ApiMessage body) {
    return inquirer
        .ask(new MetadataRequestData(), METADATA)
        .thenApply(
            answer ->
                new Forward(
                    ((HeartbeatRequestData) body)
                        .setGroupId(((MetadataResponseData) answer).clusterId())));
  }

  @Test
  void more_questions_than_the_bound_fail_and_those_before_are_answered_in_order()
      throws Exception {
    var mayAnswer = new CountDownLatch(1);
    var asking = new ScriptedFilter(HEARTBEATS);
    try (var broker = answering(mayAnswer);
        var _ = ProxyUnderTest.inFrontOf(broker, asking)) {
      var inquirer = asking.scope().inquirer();
      var order = new ArrayList<Integer>();
      var answers = new ArrayList<CompletableFuture<Void>>();
      for (int i = 0; i < Inquirer.MAX_OPEN; i++) {
        int number = i;
        answers.add(
            inquirer
                .ask(new MetadataRequestData(), METADATA)
                .thenAccept(_ -> order.add(number))
                .toCompletableFuture());
      }
      assertThat(failure(inquirer.ask(new MetadataRequestData(), METADATA)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("filter 'f0'")
          .hasMessageContaining("at most 64 open questions");
      mayAnswer.countDown();
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).get();
      assertThat(order).hasSize(Inquirer.MAX_OPEN).isSorted();
      assertThat(inquirer.ask(new MetadataRequestData(), METADATA).toCompletableFuture().get())
          .isInstanceOf(MetadataResponseData.class);
    }
  }

  @Test
  void what_cannot_be_asked_is_refused_at_once() throws Exception {
    var asking = new ScriptedFilter(HEARTBEATS);
    try (var broker = StubBroker.echo();
        var _ = ProxyUnderTest.inFrontOf(broker, asking)) {
      var inquirer = asking.scope().inquirer();
      assertThat(
              List.of(
                  failure(inquirer.ask(new MetadataResponseData(), METADATA)),
                  failure(inquirer.ask(new MetadataRequestData(), (short) 99)),
                  failure(inquirer.ask(new ProduceRequestData().setAcks((short) 0), (short) 9))))
          .allSatisfy(why -> assertThat(why).isInstanceOf(IllegalArgumentException.class));
      assertThat(broker.served()).isZero();
    }
  }

  @Test
  void a_question_without_an_answer_fails_the_filter_that_needs_it_to_initialize()
      throws Exception {
    assertThat(failureOf(new StubBroker(Peer::readToEnd), Duration.ofMillis(300)))
        .contains("expected an answer within its timeLimit of 300 ms, found none");
    assertThat(failureOf(new StubBroker(_ -> {}), PATIENCE))
        .contains("found the connection closed; does the listener want authentication");
    var gone = new StubBroker(_ -> {});
    gone.takeNobodyNew();
    assertThat(failureOf(gone, PATIENCE)).contains("no broker could be reached");
  }

  /** Why a cluster is not set up whose filter asks such a broker. */
  private static String failureOf(StubBroker answers, Duration timeLimit) throws Exception {
    var asking = new ScriptedFilter(HEARTBEATS).timeLimit(timeLimit);
    asking.onInitialize(
        () -> {
          var question = asking.scope().inquirer().ask(new MetadataRequestData(), METADATA);
          var _ = question.toCompletableFuture().get();
          return null;
        });
    try (var broker = answers;
        var proxy =
            ProxyUnderTest.start(
                NetworkSpec.DEFAULT,
                new FailurePolicy(FailurePolicy.Serve.REMAINING, Optional.empty()),
                List.of(
                    ScriptedFilter.on(
                        ProxyUnderTest.cluster(
                            ProxyUnderTest.NAME, broker.endpoint(), FreePorts.inARow(3)),
                        asking)))) {
      proxy.awaitState(ProxyUnderTest.NAME, Failed.class);
      return ((Failed) proxy.view().life().state()).failure().cause();
    }
  }

  @Test
  void an_answer_to_something_else_ends_the_connection_and_the_next_question_has_another()
      throws Exception {
    var asking = new ScriptedFilter(HEARTBEATS);
    try (var broker = misnumbering();
        var _ = ProxyUnderTest.inFrontOf(broker, asking)) {
      var inquirer = asking.scope().inquirer();
      for (int connections = 1; connections <= 2; connections++) {
        assertThat(failure(inquirer.ask(new MetadataRequestData(), METADATA)))
            .hasMessageContaining("found the connection closed");
        assertThat(broker.served()).isEqualTo(connections);
      }
    }
  }

  @Test
  void what_is_open_fails_when_the_filter_goes_with_its_generation() throws Exception {
    var former = new ScriptedFilter(HEARTBEATS);
    try (var broker = new StubBroker(Peer::readToEnd);
        var proxy = ProxyUnderTest.inFrontOf(broker, former)) {
      var inquirer = former.scope().inquirer();
      var open = inquirer.ask(new MetadataRequestData(), METADATA).toCompletableFuture();
      proxy.stop();
      await().until(open::isDone);
      assertThat(failure(open)).hasMessageContaining("filter 'f0' asks the Kafka cluster");
      await()
          .untilAsserted(
              () ->
                  assertThat(failure(inquirer.ask(new MetadataRequestData(), METADATA)))
                      .hasMessageContaining("found it closed"));
    }
  }

  private static Throwable failure(CompletionStage<?> stage) throws InterruptedException {
    try {
      throw new AssertionError("expected a failure, found " + stage.toCompletableFuture().get());
    } catch (ExecutionException | CompletionException e) {
      return Objects.requireNonNull(e.getCause());
    }
  }

  /** Answers questions for metadata when it may, and all else at once with an echo. */
  private static StubBroker answering(CountDownLatch mayAnswer) {
    return new StubBroker(
        client -> {
          for (var f = client.tryFrame(); f.isPresent(); f = client.tryFrame()) {
            if (ByteBuffer.wrap(f.get()).getShort(Integer.BYTES) != METADATA_KEY) {
              client.write(Frames.echoed(f.get()));
              continue;
            }
            mayAnswer.await();
            client.write(
                Frames.response(
                    ApiKeys.METADATA,
                    METADATA,
                    Frames.correlationIdOfRequest(f.get()),
                    new MetadataResponseData().setClusterId("a-cluster")));
          }
        });
  }

  /** Answers another question than the one that was asked. */
  private static StubBroker misnumbering() {
    return new StubBroker(
        client -> {
          int asked = Frames.correlationIdOfRequest(client.frame());
          client.write(Frames.answer(asked + 1, 10));
          client.readToEnd();
        });
  }

  private static byte[] heartbeatOf(int correlationId, String group) {
    return Frames.request(
        ApiKeys.HEARTBEAT,
        4,
        correlationId,
        new HeartbeatRequestData().setGroupId(group).setMemberId("m"));
  }
}
