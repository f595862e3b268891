package dev.sluice.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  private static final Load LOAD = new Load(200, 1);
  private static final int NOTHING = -1;
  private static final Duration CALM = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration STEP = Duration.ofSeconds(2);
  private static final Duration SHORT = Duration.ofMillis(200);

  private final List<String> happened = new ArrayList<>();

  /**
   * A producer whose records are all acknowledged at once up to a rate, and not at all above it.
   */
  private final class Scripted implements AuditedClient {

    private final Channel channel;
    private final int carries;
    private long sequence;

    Scripted(Channel channel, int carries) {
      this.channel = channel;
      this.carries = carries;
    }

    @Override
    public void start() {
      happened.add(channel.client() + " starts");
      send(0);
    }

    @Override
    public void keepTo(int recordsPerSecond) {
      happened.add(channel.client() + " at " + recordsPerSecond);
      send(recordsPerSecond);
    }

    private void send(int recordsPerSecond) {
      sequence += 2L * recordsPerSecond;
      channel.written().sent(sequence);
      if (recordsPerSecond <= carries) {
        channel.acknowledged(sequence);
      }
    }

    @Override
    public void rest() {}

    @Override
    public void leave() {}
  }

  @Test
  void the_next_client_comes_aboard_when_the_one_before_has_made_progress() throws Exception {
    assertThat(warmUp(LONG, berth("one", true), berth("two", true))).isEmpty();

    assertThat(happened)
        .startsWith("one starts", "1 of 2 aboard: one", "two starts", "2 of 2 aboard: two");
  }

  @Test
  void the_rate_is_raised_when_all_keep_up() throws Exception {
    warmUp(LONG, berth("one", true));

    assertThat(happened)
        .containsSubsequence(
            "one at 50",
            "50 records a second each: all keep up",
            "one at 100",
            "one at 200",
            "200 records a second each: all keep up");
  }

  @Test
  void who_makes_no_progress_holds_up_nobody_for_ever_and_is_told() throws Exception {
    assertThat(warmUp(SHORT, berth("silent", false), berth("two", true))).containsExactly("silent");

    assertThat(happened)
        .contains(
            "1 of 2 aboard: silent, without progress yet",
            "two starts",
            "200 records a second each: behind are silent");
  }

  @Test
  void a_rate_that_is_not_carried_is_given_up_for_the_last_one_that_was() throws Exception {
    warmUp(new WarmUp.Bounds(LONG, STEP, CALM, LONG), berth("one", LOAD.recordsPerSecond() - 1));

    assertThat(happened)
        .containsSubsequence(
            "100 records a second each: all keep up",
            "200 records a second each: behind are one",
            "back to 100, since 200 is not carried here",
            "one at 100",
            "100 records a second each: all keep up");
  }

  private List<String> warmUp(Duration limit, Berth... berths) throws InterruptedException {
    return warmUp(new WarmUp.Bounds(limit, limit, CALM, limit), berths);
  }

  private List<String> warmUp(WarmUp.Bounds bounds, Berth... berths) throws InterruptedException {
    return new WarmUp(List.of(berths), new Aboard(), LOAD, bounds, happened::add).run();
  }

  private Berth berth(String name, boolean answered) {
    return berth(name, answered ? LOAD.recordsPerSecond() : NOTHING);
  }

  private Berth berth(String name, int carries) {
    var channel = Channel.of("topic", name);
    return new Berth(channel, () -> new Scripted(channel, carries));
  }
}
