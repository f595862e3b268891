package dev.sluice.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.audit.ledger.LogLine.Level;
import org.junit.jupiter.api.Test;

class LogWitnessTest {

  private final LogWitness witness = new LogWitness("audit-");
  private final Occurrences plain = new Occurrences();
  private final Occurrences plainAll = new Occurrences();

  LogWitnessTest() {
    witness.register("plain", plain);
    witness.register("plain-all", plainAll);
  }

  @Test
  void a_cancelled_request_is_counted_by_api() {
    network(
        Level.INFO,
        "[Producer clientId=plain-all] Cancelled in-flight PRODUCE request with correlation id 73 due to node 2 being disconnected (elapsed time since creation: 3ms, elapsed time since send: 3ms, throttle time: 0ms, request timeout: 30000ms)");

    assertThat(count(plainAll, Measure.CANCELLED)).isEqualTo(1);
    assertThat(plainAll.kinds(Window.WARMING)).containsOnlyKeys("cancelled: PRODUCE");
    assertThat(count(plain, Measure.CANCELLED)).isZero();
  }

  @Test
  void a_disconnect_is_counted_and_a_closed_idle_connection_is_none() {
    network(Level.INFO, "[Producer clientId=plain] Node 3 disconnected.");
    network(Level.INFO, "[Producer clientId=plain] Idle connection to node 3 disconnected.");

    assertThat(count(plain, Measure.DISCONNECTS)).isEqualTo(1);
  }

  @Test
  void a_rebootstrap_is_counted() {
    network(Level.INFO, "[Consumer clientId=plain, groupId=g] Rebootstrapping with Cluster(id)");

    assertThat(count(plain, Measure.REBOOTSTRAPS)).isEqualTo(1);
  }

  @Test
  void lines_that_differ_in_numbers_are_of_one_kind() {
    network(Level.WARN, "[Producer clientId=plain] Got error produce response with id 17 on t-0");
    network(Level.WARN, "[Producer clientId=plain] Got error produce response with id 18 on t-1");

    assertThat(plain.kinds(Window.WARMING))
        .containsEntry("warnings: NetworkClient: Got error produce response with id # on t-#", 2L);
  }

  @Test
  void a_line_without_client_id_belongs_to_the_client_of_its_thread() {
    witness.accept(
        new LogLine(Level.ERROR, "Sender", "kafka-producer-network-thread | plain-all", "broken"));
    witness.accept(new LogLine(Level.WARN, "StreamThread", "plain-StreamThread-1", "restarts"));

    assertThat(count(plainAll, Measure.ERRORS)).isEqualTo(1);
    assertThat(count(plain, Measure.WARNINGS)).isEqualTo(1);
  }

  @Test
  void lines_of_the_audit_are_left_out_and_lines_of_nobody_are_kept() {
    network(Level.WARN, "[Consumer clientId=audit-witness-1, groupId=null] slow");
    network(Level.WARN, "[Consumer clientId=stranger, groupId=null] slow");

    assertThat(count(witness.nobody(), Measure.WARNINGS)).isEqualTo(1);
  }

  private void network(Level level, String text) {
    witness.accept(new LogLine(level, "NetworkClient", "some thread", text));
  }

  private static long count(Occurrences occurrences, Measure measure) {
    return occurrences.count(measure, Window.WARMING);
  }
}
