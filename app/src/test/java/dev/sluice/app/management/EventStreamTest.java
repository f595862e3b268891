package dev.sluice.app.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.management.EventStream.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventStreamTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Takes one event and then nothing any more, until its writer is interrupted. */
  private static final class Stuck implements EventStream.Client {
    private final List<Event> taken = new CopyOnWriteArrayList<>();
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    @Override
    public boolean isGone() {
      return false;
    }

    @Override
    public void send(Event event) {
      taken.add(event);
      first.countDown();
      try {
        never.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void remark() {}
  }

  @Test
  void a_client_that_is_too_slow_is_dropped_and_holds_nobody_up() throws InterruptedException {
    var client = new Stuck();
    var stream = new EventStream(client);
    var writer = Thread.ofVirtual().start(stream::write);
    stream.offer(new Event(0, "note", ""));
    assertThat(client.first.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();

    for (int i = 1; i <= EventStream.MAX_WAITING; i++) {
      stream.offer(new Event(i, "note", ""));
    }
    assertThat(writer.isAlive()).as("as many as may wait are no reason to drop it").isTrue();
    stream.offer(new Event(EventStream.MAX_WAITING + 1, "note", ""));

    assertThat(writer.join(LIMIT)).isTrue();
    assertThat(client.taken).hasSize(1);
  }

  @Test
  void an_end_is_heard_while_nothing_happens() throws InterruptedException {
    var stream = new EventStream(new Stuck());
    var writer = Thread.ofVirtual().start(stream::write);

    stream.end();

    assertThat(writer.join(LIMIT)).isTrue();
  }
}
