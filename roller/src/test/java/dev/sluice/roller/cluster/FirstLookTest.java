package dev.sluice.roller.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.planner.Memory;
import dev.sluice.planner.Policy;
import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.Platform;
import dev.sluice.roller.RecoveryProbe;
import dev.sluice.roller.ServerSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Who looks once, as a plan does, sees as much as who looks again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FirstLookTest {

  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final ServerSpec UNWRITTEN =
      new ServerSpec(3, Set.of(Role.BROKER), Optional.empty());

  @Test
  void a_first_look_asks_a_server_whose_address_only_kafka_tells() throws Exception {
    try (var broker = new GeneratedBroker(1, 1);
        var kafka = KafkaAccess.open(broker.address(), Optional.empty(), Map.of());
        var observer = new ClusterObserver(parts(kafka), Clock.systemUTC())) {
      var view = observer.look(Memory.EMPTY, Policy.DEFAULT).view();

      var answering = requireNonNull(view.servers().get(UNWRITTEN.id())).answering();
      assertThat(answering instanceof Fact.Known<Boolean>(Boolean answers, _) && answers)
          .as("%s", answering)
          .isTrue();
    }
  }

  private static ClusterObserver.Parts parts(KafkaAccess kafka) {
    return new ClusterObserver.Parts(
        "generated",
        kafka,
        new Running(),
        RecoveryProbe.NONE,
        DesiredConfiguration.NONE,
        List.of(UNWRITTEN),
        Optional.empty(),
        LIMIT);
  }

  private record Running() implements Platform {
    @Override
    public PlatformReading look(ServerSpec server) {
      return new PlatformReading(Phase.RUNNING, Instant.EPOCH, true, "", "", "", List.of());
    }

    @Override
    public String name() {
      return "one that says that all is well";
    }

    @Override
    public void restart(ServerSpec server, Optional<Instant> process) {}

    @Override
    public List<String> lastWords(ServerSpec server, int most) {
      return List.of();
    }
  }
}
