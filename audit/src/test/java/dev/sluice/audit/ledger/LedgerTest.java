package dev.sluice.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.audit.ledger.ClientReport.Reading;
import dev.sluice.audit.ledger.ClientReport.Role;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LedgerTest {

  private final WrittenLedger written = new WrittenLedger("p");
  private final SeenLedger witness = new SeenLedger(written);
  private final Occurrences occurrences = new Occurrences();

  @Test
  void a_clean_run_has_no_fault() {
    acknowledge(0, 100);
    see(witness, 0, 100);

    assertThat(faults(producer())).isZero();
    assertThat(producer().total(Measure.SENT)).isEqualTo(100);
    assertThat(producer().total(Measure.SEEN)).isEqualTo(100);
  }

  @Test
  void what_was_acknowledged_and_never_seen_is_lost() {
    acknowledge(0, 10);
    see(witness, 0, 4);
    see(witness, 6, 10);

    assertThat(producer().total(Measure.LOST)).isEqualTo(2);
    assertThat(faults(producer())).isEqualTo(2);
  }

  @Test
  void what_was_not_acknowledged_may_be_missing_or_not() {
    LongStream.range(0, 10).forEach(written::sent);
    see(witness, 3, 7);

    assertThat(faults(producer())).isZero();
  }

  @Test
  void what_is_seen_again_is_duplicated_and_not_reordered() {
    acknowledge(0, 10);
    see(witness, 0, 10);
    see(witness, 5, 8);

    assertThat(producer().total(Measure.DUPLICATED)).isEqualTo(3);
    assertThat(producer().total(Measure.REORDERED)).isZero();
  }

  @Test
  void what_comes_behind_a_later_one_of_its_partition_is_reordered() {
    acknowledge(0, 4);
    witness.saw(0, 0);
    witness.saw(0, 3);
    witness.saw(0, 1);
    witness.saw(0, 2);

    assertThat(producer().total(Measure.REORDERED)).isEqualTo(2);
    assertThat(producer().total(Measure.DUPLICATED)).isZero();
  }

  @Test
  void partitions_have_no_order_among_each_other() {
    acknowledge(0, 4);
    witness.saw(0, 3);
    witness.saw(1, 1);
    witness.saw(2, 0);
    witness.saw(1, 2);

    assertThat(producer().total(Measure.REORDERED)).isZero();
  }

  @Test
  void other_bytes_than_were_sent_are_corrupted() {
    acknowledge(0, 2);
    byte[] changed = new Stamp("p", 0).value(50);
    changed[30] = '!';
    witness.saw(0, changed);
    witness.saw(0, new Stamp("q", 1).value(50));

    assertThat(producer().total(Measure.CORRUPTED)).isEqualTo(2);
    assertThat(producer().total(Measure.LOST)).isEqualTo(2);
  }

  @Test
  void a_reader_lost_what_is_in_the_log_and_was_never_delivered() {
    acknowledge(0, 10);
    see(witness, 0, 9);
    var seen = new SeenLedger(written);
    see(seen, 0, 7);
    see(seen, 6, 7);

    var reader = reader(seen, true);

    assertThat(reader.total(Measure.LOST)).isEqualTo(2);
    assertThat(reader.total(Measure.DUPLICATED)).isEqualTo(1);
    assertThat(producer().total(Measure.LOST)).isEqualTo(1);
    assertThat(seen.missing(witness)).isEqualTo(2);
  }

  @Test
  void order_is_not_told_of_a_reader_that_was_not_promised_it() {
    acknowledge(0, 2);
    see(witness, 0, 2);
    var seen = new SeenLedger(written);
    seen.saw(0, 1);
    seen.saw(0, 0);

    assertThat(reader(seen, false).tells(Measure.REORDERED)).isFalse();
    assertThat(reader(seen, true).total(Measure.REORDERED)).isEqualTo(1);
  }

  @Test
  void faults_belong_to_the_window_in_which_the_record_was_sent() {
    acknowledge(0, 10);
    written.enter(Window.BASELINE);
    acknowledge(10, 20);
    written.enter(Window.EVENT);
    acknowledge(20, 40);
    see(witness, 0, 9);
    see(witness, 10, 20);
    see(witness, 25, 40);
    see(witness, 12, 13);
    see(witness, 30, 32);

    assertThat(count(Measure.LOST, Window.WARMING)).isEqualTo(1);
    assertThat(count(Measure.LOST, Window.BASELINE)).isZero();
    assertThat(count(Measure.LOST, Window.EVENT)).isEqualTo(5);
    assertThat(count(Measure.DUPLICATED, Window.BASELINE)).isEqualTo(1);
    assertThat(count(Measure.DUPLICATED, Window.EVENT)).isEqualTo(2);
    assertThat(count(Measure.SENT, Window.EVENT)).isEqualTo(20);
  }

  @Test
  void a_window_that_is_left_out_is_empty() {
    acknowledge(0, 10);
    written.enter(Window.EVENT);
    acknowledge(10, 12);

    assertThat(count(Measure.SENT, Window.WARMING)).isEqualTo(10);
    assertThat(count(Measure.SENT, Window.BASELINE)).isZero();
    assertThat(count(Measure.SENT, Window.EVENT)).isEqualTo(2);
  }

  @Test
  void a_book_ends_where_its_bound_is() {
    assertThatThrownBy(() -> written.sent(SequenceSet.MOST_RECORDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("100000000");
  }

  private void acknowledge(long from, long to) {
    LongStream.range(from, to).peek(written::sent).forEach(written::acknowledged);
  }

  private static void see(SeenLedger ledger, long from, long to) {
    LongStream.range(from, to).forEach(i -> ledger.saw((int) (i % 3), new Stamp("p", i).value(60)));
  }

  private ClientReport producer() {
    return ClientReport.producer(witness, occurrences);
  }

  private ClientReport reader(SeenLedger seen, boolean ordered) {
    return ClientReport.reader(
        "r", witness, new Reading(seen, Role.READER, ordered), new Occurrences());
  }

  private long count(Measure measure, Window window) {
    return java.util.Objects.requireNonNull(producer().windows().get(window))
        .counts()
        .getOrDefault(measure, 0L);
  }

  private static long faults(ClientReport report) {
    return report.total(Measure.LOST)
        + report.total(Measure.DUPLICATED)
        + report.total(Measure.REORDERED)
        + report.total(Measure.CORRUPTED);
  }
}
