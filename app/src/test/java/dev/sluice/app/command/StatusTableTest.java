package dev.sluice.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTableTest {

  @Test
  void a_drain_says_how_far_it_has_come() throws Exception {
    assertThat(
            lines(
                """
                {"name":"orders","state":"draining","since":"2026-01-01T00:00:00Z",
                 "reason":{"message":"A person asked for the drain."},
                 "drain":{"connectionsAtFirst":12,"connectionsLeft":3}}"""))
        .last()
        .asString()
        .endsWith("A person asked for the drain. 3 of 12 connections left.");
  }

  @Test
  void a_broker_without_an_address_is_told_below_the_table() throws Exception {
    assertThat(
            lines(
                """
                {"name":"orders","state":"serving","since":"2026-01-01T00:00:00Z",
                 "reason":{"message":"It is set up."},"nodesLeftOut":[4]}"""))
        .hasSize(3)
        .last()
        .isEqualTo(
            "orders: clients wait in vain for what broker 4 leads: no nodeIdRanges include it.");
  }

  private static List<String> lines(String cluster) throws Exception {
    JsonNode node = new ObjectMapper().readTree(cluster);
    return StatusTable.lines(List.of(node), Instant.EPOCH, false);
  }
}
