package dev.sluice.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
  void whom_a_drain_waits_for_is_told_below_the_table() throws Exception {
    assertThat(
            lines(
                """
                {"name":"orders","state":"draining","since":"2026-01-01T00:00:00Z",
                 "reason":{"message":"A person asked for the drain."},
                 "drain":{"connectionsAtFirst":12,"connectionsLeft":3,
                          "waitsFor":[{"sentence":"billing at 10.0.0.7:5000 (FETCH: late)"}]}}"""))
        .endsWith(
            "orders: waits for billing at 10.0.0.7:5000 (FETCH: late)", "orders: waits for 2 more");
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

  @Test
  void ports_that_are_left_and_stay_open_are_told_below_the_table() throws Exception {
    var cluster =
        """
        {"name":"orders","state":"serving","since":"2026-01-01T00:00:00Z",
         "reason":{"message":"It is set up."},"lingeringPorts":[%s]}""";
    var port = "{\"port\":%d,\"until\":\"2026-01-01T00:0%d:00Z\"}";

    assertThat(lines(cluster.formatted(port.formatted(9192, 7) + "," + port.formatted(9193, 5))))
        .last()
        .isEqualTo(
            "orders: stays at ports that it has left (9192, 9193) for clients that still know them,"
                + " until 2026-01-01T00:07:00Z at the latest.");
    var many = IntStream.range(0, 9).mapToObj(at -> port.formatted(9192 + at, 5));
    assertThat(lines(cluster.formatted(many.collect(Collectors.joining(",")))))
        .last()
        .asString()
        .contains("9197, 3 more");
  }

  @Test
  void a_certificate_that_expires_soon_is_told_below_the_table() throws Exception {
    var cluster =
        """
        {"name":"orders","state":"serving","since":"2026-01-01T00:00:00Z",
         "reason":{"message":"It is set up."},"gateways":[{"name":"tls","tls":{
           "clientAuth":"REQUIRED","protocols":["TLSv1.3"],"certificate":{"subject":"CN=orders",
           "names":["a.example","b.example"],"notAfter":"%s"}}},{"name":"plain"}]}""";

    assertThat(lines(cluster.formatted("1970-01-03T00:00:00Z")))
        .last()
        .isEqualTo(
            "orders, gateway tls: the certificate that clients are shown expires at"
                + " 1970-01-03T00:00:00Z; renew it.");
    assertThat(lines(cluster.formatted("1969-01-03T00:00:00Z")))
        .last()
        .asString()
        .contains("has expired");
    assertThat(lines(cluster.formatted("1970-03-03T00:00:00Z"))).hasSize(2);
    assertThat(
            TlsText.lines(new ObjectMapper().readTree(cluster.formatted("1970-03-03T00:00:00Z"))))
        .containsExactly(
            "orders, gateway tls: TLSv1.3; clients have to show a certificate; shows CN=orders for"
                + " a.example, b.example, good until 1970-03-03T00:00:00Z");
  }

  private static List<String> lines(String cluster) throws Exception {
    JsonNode node = new ObjectMapper().readTree(cluster);
    return StatusTable.lines(List.of(node), Instant.EPOCH, false);
  }
}
