package dev.sluice.roller.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.planner.reading.Fact;
import dev.sluice.planner.reading.Phase;
import dev.sluice.planner.reading.PlatformReading;
import dev.sluice.planner.reading.Role;
import dev.sluice.roller.Platform;
import dev.sluice.roller.RecoveryProbe;
import dev.sluice.roller.ServerSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PortLookTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration GRACE = Duration.ofMinutes(5);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static ServerSpec server(String address) {
    return new ServerSpec(3, Set.of(Role.BROKER), Optional.of(address));
  }

  private static PortLook look(KafkaAccess kafka, String clusterId, ServerSpec server) {
    return new PortLook(
        new ClusterObserver.Parts(
            clusterId,
            kafka,
            new Platform() {
              @Override
              public String name() {
                return "none";
              }

              @Override
              public PlatformReading look(ServerSpec each) throws IOException {
                throw new IOException("it is not asked here");
              }

              @Override
              public void restart(ServerSpec each, Optional<Instant> process) {}

              @Override
              public List<String> lastWords(ServerSpec each, int most) {
                return List.of();
              }
            },
            RecoveryProbe.NONE,
            DesiredConfiguration.NONE,
            List.of(server),
            Optional.empty(),
            LIMIT));
  }

  private static Fact<PlatformReading> running(Instant since) {
    return Fact.known(new PlatformReading(Phase.RUNNING, since, true, "", "", "", List.of()), NOW);
  }

  private static PortLook.Seen refusal() {
    return new PortLook.Seen(new Handshake.Answer.Refusal(), Fact.missing("it does not answer"));
  }

  @Test
  void a_server_tells_which_cluster_it_is_in_and_a_broker_tells_no_active_controller()
      throws Exception {
    try (var broker = new GeneratedBroker(1, 1);
        var kafka = KafkaAccess.open(broker.address(), Optional.empty(), Map.of())) {
      var server = server(broker.address());

      var seen = look(kafka, "generated", server).look(server);

      assertThat(seen.answer())
          .isEqualTo(
              new Handshake.Answer.Given(
                  Optional.of(new Handshake.Word("generated", OptionalInt.empty()))));
      assertThat(seen.knowsOfNoController()).isFalse();
    }
  }

  @Test
  void what_answers_for_another_cluster_is_not_believed() throws Exception {
    try (var broker = new GeneratedBroker(1, 1);
        var kafka = KafkaAccess.open(broker.address(), Optional.empty(), Map.of())) {
      var server = server(broker.address());

      assertThatThrownBy(() -> look(kafka, "ours", server).look(server))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is of cluster generated, and this roll is about ours");
    }
  }

  @Test
  void members_of_another_cluster_are_none_of_ours() throws Exception {
    try (var broker = new GeneratedBroker(1, 1);
        var kafka = KafkaAccess.open(broker.address(), Optional.empty(), Map.of())) {
      var options = new org.apache.kafka.clients.admin.DescribeClusterOptions();

      assertThat(MembersLook.of(kafka.brokers(), options, "generated", LIMIT)).hasSize(50);
      assertThatThrownBy(() -> MembersLook.of(kafka.brokers(), options, "ours", LIMIT))
          .isInstanceOf(IOException.class)
          .hasMessage("cluster generated answers, and this roll is about ours");
    }
  }

  @Test
  void a_port_that_nobody_listens_on_refuses() throws Exception {
    // None of those that the kernel gives out: somebody might be given it meanwhile.
    var address = "127.0.0.1:1";
    try (var kafka = KafkaAccess.open(address, Optional.empty(), Map.of())) {
      var server = server(address);

      assertThat(look(kafka, "ours", server).look(server).answer())
          .isEqualTo(new Handshake.Answer.Refusal());
    }
  }

  @Test
  void a_refusal_counts_only_when_it_lasts() {
    try (var kafka = KafkaAccess.open("127.0.0.1:1", Optional.empty(), Map.of())) {
      var server = server("127.0.0.1:1");
      var ports = look(kafka, "ours", server);
      var old = running(NOW.minus(Duration.ofHours(1)));

      assertThat(ports.answering(server, Fact.known(refusal(), NOW), old, GRACE))
          .isEqualTo(Fact.missing("it has refused connections for 0s"));
      var later = NOW.plusSeconds(29);
      assertThat(ports.answering(server, Fact.known(refusal(), later), old, GRACE))
          .isEqualTo(Fact.missing("it has refused connections for 29s"));
      var last = NOW.plusSeconds(30);
      assertThat(ports.answering(server, Fact.known(refusal(), last), old, GRACE))
          .isEqualTo(Fact.known(false, last));
    }
  }

  @Test
  void a_server_that_starts_is_expected_to_refuse() {
    try (var kafka = KafkaAccess.open("127.0.0.1:1", Optional.empty(), Map.of())) {
      var server = server("127.0.0.1:1");
      var young = running(NOW.minus(Duration.ofSeconds(10)));

      assertThat(
              look(kafka, "ours", server)
                  .answering(server, Fact.known(refusal(), NOW), young, GRACE))
          .isEqualTo(Fact.known(false, NOW));
    }
  }
}
