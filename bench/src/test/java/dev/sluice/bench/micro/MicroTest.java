package dev.sluice.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.Forecast;
import dev.sluice.planner.Memory;
import dev.sluice.planner.Planner;
import dev.sluice.planner.Policy;
import dev.sluice.protocol.MalformedFrameException;
import dev.sluice.protocol.RequestPeek;
import org.junit.jupiter.api.Test;

/** What is measured does what it is measured for; how fast is nobody's business here. */
class MicroTest {

  @Test
  void a_large_cluster_is_rolled_rack_by_rack() {
    LargeCluster cluster = new LargeCluster(31, 5_000, 1);
    Forecast forecast =
        Planner.forecast(
            cluster.view(), Memory.EMPTY, Policy.DEFAULT.withMaxParallel(cluster.servers()));
    assertThat(forecast.blocked()).isEmpty();
    assertThat(forecast.steps())
        .extracting(step -> step.targets().size())
        .containsExactlyInAnyOrder(11, 10, 10);
  }

  @Test
  void requests_are_peeked_to_the_end() {
    RequestPeekMicro micro = new RequestPeekMicro();
    assertThat(micro.fetch()).isEqualTo(RequestPeek.Outcome.PEEKED);
    assertThat(micro.produce()).isEqualTo(RequestPeek.Outcome.PEEKED);
  }

  @Test
  void what_was_asked_is_written_in_the_end() {
    InFlightMicro micro = new InFlightMicro();
    assertThat(micro.fiveRequests()).isEqualTo(0 + 1 + 2 + 3 + 4);
    assertThat(micro.inFlight()).isZero();
  }

  @Test
  void responses_change_where_they_name_brokers() throws MalformedFrameException {
    EndpointSkimMicro micro = new EndpointSkimMicro();
    int shorterHosts = 3 * ("broker.here.example".length() - "broker-0.there.example".length());
    assertThat(micro.withoutEndPoints()).isZero();
    assertThat(micro.withThreeEndPoints()).isEqualTo(shorterHosts);
  }
}
