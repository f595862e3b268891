package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.lifecycle.ClusterState.Failed;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.ClusterState.Serving;
import dev.sluice.lifecycle.FailurePolicy;
import dev.sluice.lifecycle.Life;
import dev.sluice.lifecycle.reload.Mode;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.lifecycle.reload.Strategy;
import dev.sluice.proxy.ReloadReport.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A virtual cluster that has failed is tried again by policy, and a reload concerns it. */
class RetriesYieldTest {

  private static final String ONE = ProxyUnderTest.NAME;
  private static final String TWO = "two";
  private static final int EACH = ProxyUnderTest.NODES + 1;

  private final int first = FreePorts.inARow(3 * EACH);
  private final int second = first + EACH;
  private final int third = second + EACH;

  @Test
  void a_retry_that_is_due_yields_to_a_reload_that_waits_for_ports() throws Exception {
    var mayAnswer = new CountDownLatch(1);
    var asked = new AtomicInteger();
    try (var _ = ProxyUnderTest.occupy(second + 1);
        var broker =
            new StubBroker(
                client -> {
                  var frame = client.frame();
                  asked.incrementAndGet();
                  mayAnswer.await();
                  client.write(Frames.echoed(frame));
                });
        var proxy = started(broker, Duration.ofMillis(5));
        var old = proxy.connect()) {
      old.write(Frames.heartbeat(1));
      await().until(asked::get, count -> count == 1);

      // Its ports are those that the other gives up when the request is answered.
      var reload = reload(proxy, cluster(ONE, broker, third), cluster(TWO, broker, first));
      await().until(() -> proxy.view().drain().isPresent());
      var waiting = awaitFailed(proxy);
      awaitDue(waiting);
      assertThat(life(proxy)).isEqualTo(waiting);

      mayAnswer.countDown();
      assertThat(old.readToEnd()).isEqualTo(Frames.echoed(Frames.heartbeat(1)));
      old.leave();
      var report = Asked.of(reload);
      assertThat(report.verdict()).as("%s", report).isEqualTo(Verdict.APPLIED);
      assertThat(life(proxy).state()).isInstanceOf(Serving.class);
    }
  }

  @Test
  void retries_go_on_when_the_reload_is_over() throws Exception {
    try (var _ = ProxyUnderTest.occupy(second + 1);
        var alsoTaken = ProxyUnderTest.occupy(third + 1);
        var broker = StubBroker.echo();
        var proxy = started(broker, Duration.ofMillis(5))) {
      var report =
          Asked.of(reload(proxy, cluster(ONE, broker, first), cluster(TWO, broker, third)));
      assertThat(report.verdict()).as("%s", report).isEqualTo(Verdict.FAILED);
      ProxyUnderTest.free(alsoTaken);
      proxy.awaitState(TWO, Serving.class);
    }
  }

  @Test
  void the_end_of_an_attempt_is_no_answer_to_a_reload() throws Exception {
    try (var _ = ProxyUnderTest.occupy(second + 1);
        var broker = StubBroker.echo();
        var proxy = started(broker, Duration.ofMillis(1))) {
      var one = cluster(ONE, broker, first);
      for (int time = 0; time < 20; time++) {
        var report = Asked.of(reload(proxy, one, cluster(TWO, broker, third)));
        assertThat(report.verdict()).as("%s", report).isEqualTo(Verdict.APPLIED);
        removeAndAddAsFailed(proxy, one, cluster(TWO, broker, second));
      }
    }
  }

  // ---- in the words of the tests -------------------------------------------------------------

  /** One serves, and the other has failed. */
  private ProxyUnderTest started(StubBroker broker, Duration backoff) {
    var retry = new FailurePolicy.Retry(FailurePolicy.Retry.UNLIMITED, backoff, backoff);
    var proxy =
        ProxyUnderTest.start(
            NetworkSpec.DEFAULT,
            new FailurePolicy(FailurePolicy.Serve.REMAINING, Optional.of(retry)),
            List.of(cluster(ONE, broker, first), cluster(TWO, broker, second)));
    proxy.awaitState(ONE, Serving.class);
    awaitFailed(proxy);
    return proxy;
  }

  private static VirtualClusterSpec cluster(String name, StubBroker broker, int port) {
    return ProxyUnderTest.cluster(name, broker.endpoint(), port);
  }

  private static CompletionStage<ReloadReport> reload(
      ProxyUnderTest proxy, VirtualClusterSpec... clusters) {
    return proxy.proxy().reload(new ReloadRequest(List.of(clusters), ReloadPolicy.DEFAULT));
  }

  /** Where it has failed it is tried again and again. */
  private static void removeAndAddAsFailed(
      ProxyUnderTest proxy, VirtualClusterSpec one, VirtualClusterSpec two) {
    Asked.of(reload(proxy, one));
    var kept = new ReloadPolicy(Mode.BEST_EFFORT, Strategy.LEAST_DISRUPTIVE, Fallback.KEEP_NEW);
    Asked.of(proxy.proxy().reload(new ReloadRequest(List.of(one, two), kept)));
  }

  private static Life life(ProxyUnderTest proxy) {
    return proxy.proxy().virtualCluster(TWO).orElseThrow().life();
  }

  private static Life awaitFailed(ProxyUnderTest proxy) {
    return await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> life(proxy), life -> life.state() instanceof Failed);
  }

  /** The time for its next attempt has passed by much. */
  private static void awaitDue(Life life) {
    var due = ((Failed) life.state()).recovery().nextRetry().orElseThrow();
    await().until(Instant::now, now -> now.isAfter(due.plusMillis(100)));
  }
}
