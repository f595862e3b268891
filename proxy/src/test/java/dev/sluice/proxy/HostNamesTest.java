package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HostNamesTest {

  private static final HostNames ORDERS =
      new HostNames("Orders.kafka.example", "broker-$(nodeId).orders.kafka.example");

  @Test
  void the_bootstrap_name_stands_for_any_node_in_whatever_case() {
    assertThat(ORDERS.node("orders.KAFKA.example")).contains(OptionalInt.empty());
  }

  @Test
  void the_name_of_a_node_stands_for_it() {
    assertThat(ORDERS.node("Broker-17.orders.kafka.example")).contains(OptionalInt.of(17));
    assertThat(ORDERS.of(17)).isEqualTo("broker-17.orders.kafka.example");
  }

  @Test
  void what_only_looks_like_one_stands_for_none() {
    assertThat(ORDERS.node("broker-.orders.kafka.example")).isEmpty();
    assertThat(ORDERS.node("broker-01.orders.kafka.example")).isEmpty();
    assertThat(ORDERS.node("broker--1.orders.kafka.example")).isEmpty();
    assertThat(ORDERS.node("broker-99999999999.orders.kafka.example")).isEmpty();
    assertThat(ORDERS.node("broker-1.orders.kafka.example.evil")).isEmpty();
    assertThat(ORDERS.node("orders")).isEmpty();
    assertThat(ORDERS.node("")).isEmpty();
  }

  @Test
  void gateways_with_a_name_in_common_are_found_out() {
    assertThat(ORDERS.common(new HostNames("other", "broker-1$(nodeId).orders.kafka.example")))
        .hasValueSatisfying(name -> assertThat(name).startsWith("broker-1"));
    assertThat(ORDERS.common(new HostNames("broker-3.orders.kafka.example", "b$(nodeId)")))
        .contains("broker-3.orders.kafka.example");
    assertThat(ORDERS.common(new HostNames("orders.kafka.EXAMPLE", "b$(nodeId)")))
        .contains("orders.kafka.example");
    assertThat(
            ORDERS.common(
                new HostNames("payments.kafka.example", "broker-$(nodeId).payments.kafka.example")))
        .isEmpty();
  }
}
