package dev.sluice.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.audit.ledger.LogLine.Level;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildProtocolTest {

  @Test
  void events_are_read() {
    assertThat(ChildProtocol.event("{\"event\":\"sent\",\"seq\":7}"))
        .isEqualTo(new ChildEvent.Sent(7));
    assertThat(ChildProtocol.event("{\"event\":\"acked\",\"seq\":8}"))
        .isEqualTo(new ChildEvent.Acknowledged(8));
    assertThat(ChildProtocol.event("{\"event\":\"log\",\"level\":\"WARN\",\"text\":\"slow\"}"))
        .isEqualTo(new ChildEvent.Logged(Level.WARN, "slow"));
    assertThat(ChildProtocol.event("{\"event\":\"exception\",\"text\":\"gone\"}"))
        .isEqualTo(new ChildEvent.Excepted("gone"));
  }

  @Test
  void a_record_is_read() {
    assertThat(
            ChildProtocol.event("{\"event\":\"seen\",\"partition\":2,\"value\":\"kafkajs 1 bb\"}"))
        .isEqualTo(new ChildEvent.Seen(2, "kafkajs 1 bb"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Traceback", "{}", "{\"event\":\"sent\"}", "{\"event\":\"sung\"}"})
  void what_does_not_keep_to_the_protocol_is_told(String line) {
    assertThatThrownBy(() -> ChildProtocol.event(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found: " + line);
  }

  @Test
  void an_order_is_one_line() {
    var order =
        new ChildProtocol.Start(
            "producer", "localhost:9092", "t", "c", "p", 200, 100, Optional.empty());

    assertThat(order.line()).contains("\"rate\":200").doesNotContain("\n", "security");
  }

  @Test
  void who_a_client_is_is_told_to_its_program_and_to_nobody_else() {
    var security =
        new ClientSecurity(
            Path.of("ca"), Path.of("crt"), Path.of("key"), "SCRAM-SHA-256", "alice", "sesame");
    var order =
        new ChildProtocol.Start(
            "producer", "localhost:9092", "t", "c", "p", 200, 100, Optional.of(security));

    assertThat(order.line()).contains("\"user\":\"alice\"", "\"password\":\"sesame\"");
    assertThat(order.toString()).doesNotContain("sesame");
    assertThat(security.toString()).doesNotContain("sesame");
  }
}
