package dev.sluice.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitsTest {

  private final WrittenLedger written = new WrittenLedger("p");
  private final SeenLedger witness = new SeenLedger(written);
  private final Occurrences occurrences = new Occurrences();

  @Test
  void a_clean_run_passes() {
    write(3);

    assertThat(Limits.DEFAULT.judge(report()).breaches()).isEmpty();
  }

  @Test
  void a_run_without_load_proves_nothing() {
    assertThat(Limits.DEFAULT.judge(report()).breaches())
        .containsExactly("p: acknowledged 0 after the warm-up: its zeros prove nothing");
    assertThat(Limits.DEFAULT.judge(new AuditReport(List.of(), List.of(), List.of())).passed())
        .isFalse();
  }

  @Test
  void what_the_audit_could_not_do_is_a_breach() {
    write(3);
    var report =
        new AuditReport(report().clients(), List.of(), List.of("p: the witness could not read it"));

    assertThat(Limits.DEFAULT.judge(report).breaches())
        .containsExactly("p: the witness could not read it");
  }

  @Test
  void each_fault_is_a_breach_with_its_name() {
    write(3);
    written.sent(3);
    written.acknowledged(3);
    witness.saw(0, 1);
    occurrences.exception(new IllegalStateException("gone"));

    assertThat(Limits.DEFAULT.judge(report()).breaches())
        .containsExactly(
            "p: lost 1, allowed 0", "p: duplicated 1, allowed 0", "p: exceptions 1, allowed 0");
    assertThat(Limits.DEFAULT.with(Measure.LOST, 1).judge(report()).breaches()).hasSize(2);
  }

  @Test
  void what_clients_notice_in_the_warm_up_is_told_and_not_judged() {
    occurrences.enter(Window.WARMING);
    occurrences.exception(new IllegalStateException("topic is new"));
    write(3);

    var verdict = Limits.DEFAULT.judge(report());

    assertThat(verdict.breaches()).isEmpty();
    assertThat(verdict.excused()).containsExactly("p: exceptions 1 in the warm-up");
  }

  @Test
  void what_is_about_data_is_judged_in_the_warm_up_too() {
    written.sent(0);
    written.acknowledged(0);
    written.sent(1);
    witness.saw(0, 1);
    witness.saw(0, 1);
    written.enter(Window.BASELINE);
    written.sent(2);
    written.acknowledged(2);
    witness.saw(0, 2);

    assertThat(Limits.DEFAULT.judge(report()).breaches())
        .containsExactly("p: lost 1, allowed 0", "p: duplicated 1, allowed 0");
  }

  @Test
  void a_client_that_did_nothing_after_the_warm_up_proves_nothing() {
    written.sent(0);
    written.acknowledged(0);
    witness.saw(0, 0);
    written.enter(Window.BASELINE);

    assertThat(Limits.DEFAULT.judge(report()).passed()).isFalse();
  }

  @Test
  void what_has_no_limit_is_only_told() {
    write(3);
    occurrences.noticed(Measure.WARNINGS, "slow");

    assertThat(Limits.DEFAULT.judge(report()).passed()).isTrue();
    assertThat(Limits.DEFAULT.with(Measure.WARNINGS, 0).judge(report()).passed()).isFalse();
  }

  @Test
  void a_pause_is_judged_above_the_baseline_or_by_itself() {
    write(3);
    progress(Window.BASELINE, 0);
    progress(Window.BASELINE, 200);
    progress(Window.EVENT, 850);

    assertThat(judgedBy("500ms-above-baseline").passed()).isTrue();
    assertThat(judgedBy("400ms-above-baseline").breaches())
        .containsExactly("p: pause 650 ms, allowed 600 ms");
    assertThat(judgedBy("600ms").passed()).isFalse();
    assertThat(judgedBy("1s").passed()).isTrue();
  }

  @Test
  void a_pause_limit_that_is_none_is_refused() {
    assertThatThrownBy(() -> PauseLimit.parse("fast")).hasMessageContaining("found fast");
  }

  @Test
  void skipped_clients_are_told_and_may_be_limited() {
    write(3);
    var report = new AuditReport(report().clients(), List.of("kafkajs: no node"), List.of());

    assertThat(Limits.DEFAULT.judge(report).passed()).isTrue();
    assertThat(Limits.DEFAULT.withMostSkipped(0).judge(report).passed()).isFalse();
  }

  private Verdict judgedBy(String pause) {
    return Limits.DEFAULT.withPause(PauseLimit.parse(pause)).judge(report());
  }

  private void progress(Window window, long millis) {
    occurrences.enter(window);
    occurrences.progressed(Duration.ofMillis(millis).toNanos());
  }

  /** After the warm-up. */
  private void write(int records) {
    written.enter(Window.BASELINE);
    occurrences.enter(Window.BASELINE);
    for (int i = 0; i < records; i++) {
      written.sent(i);
      written.acknowledged(i);
      witness.saw(0, i);
    }
  }

  private AuditReport report() {
    return new AuditReport(
        List.of(ClientReport.producer(witness, occurrences)), List.of(), List.of());
  }
}
