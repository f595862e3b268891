package dev.sluice.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.protocol.Endpoint;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodesLeftOutTest {

  private final NodesLeftOut leftOut =
      new NodesLeftOut(List.of(gateway("inside", 0, 3), gateway("outside", 0, 2)));

  @Test
  void a_broker_within_the_ranges_of_every_gateway_is_not_told() {
    assertThat(leftOut.complaint(2)).isEmpty();
  }

  @Test
  void a_broker_that_a_gateway_leaves_out_is_told_once_with_the_gateway() {
    assertThat(leftOut.complaint(3).orElseThrow())
        .contains("broker 3", "nodeIdRanges", "gateway outside")
        .doesNotContain("inside");
    assertThat(leftOut.complaint(3)).isEmpty();
    assertThat(leftOut.complaint(4).orElseThrow()).contains("gateway inside", "gateway outside");
    assertThat(leftOut.seen()).containsExactly(3, 4);
  }

  @Test
  void what_is_told_is_bounded() {
    assertThat(IntStream.range(100, 200).mapToObj(leftOut::complaint).flatMap(Optional::stream))
        .hasSize(NodesLeftOut.MOST_TOLD);
  }

  private static NodePorts gateway(String name, int start, int end) {
    return new NodePorts(
        new GatewaySpec(
            name,
            Optional.empty(),
            new Endpoint("localhost", 9192),
            9193,
            List.of(new GatewaySpec.NodeIdRange("brokers", start, end)),
            "localhost"));
  }
}
