package dev.sluice.integration;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.ClusterPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change that Kafka accepts and does not make is found, and made by a restart. */
@Tag("acceptance")
class RollReadBackIT {

  private static final Duration ROLL_LIMIT = Duration.ofMinutes(8);

  /**
   * A broker at most doubles its threads at once. The broker that is asked to change them for the
   * cluster judges by its own; any other that has fewer leaves them as they are, and only logs it.
   */
  private static final String KEY = "num.io.threads";

  private static final String WANTED = "8";
  private static final int WITH_FEWER = 2;

  /** One in three is asked of the broker that refuses it; this many are not. */
  private static final String TRIES = "  maxReconfigurations: 8\n";

  @TempDir private Path folder;

  @Test
  void a_key_that_is_accepted_and_not_applied_is_found_by_read_back_and_restarts_one_server()
      throws Exception {
    var plan = ClusterPlan.separate(1, 3).withServerProperty(WITH_FEWER, KEY, "2");
    try (var bench = RollBench.start(plan, folder)) {
      bench.configure(RollBench.POLICY + TRIES);
      for (var server : bench.kafka().servers()) {
        server.changeProperties(Map.of(KEY, WANTED));
      }
      try (var roll = bench.run()) {
        assertThat(roll.exitStatus(ROLL_LIMIT)).as(roll.said()).isZero();
        System.out.println(roll.said());
        assertThat(roll.said())
            .contains(
                "server "
                    + WITH_FEWER
                    + " could not: accepted, and read back without effect: "
                    + KEY);
      }
      for (int broker = 1; broker <= 3; broker++) {
        assertThat(configured(bench, broker)).as("at broker " + broker).isEqualTo(WANTED);
      }
      assertThat(bench.starts())
          .containsEntry(1, 1)
          .containsEntry(WITH_FEWER, 2)
          .containsEntry(3, 1);
    }
  }

  private static String configured(RollBench bench, int broker) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.BROKER, "" + broker);
    try (var admin = Admin.create(Map.of("bootstrap.servers", bench.kafka().bootstrapServers()))) {
      var described = admin.describeConfigs(List.of(resource)).all().get(30, TimeUnit.SECONDS);
      return requireNonNull(described.get(resource)).get(KEY).value();
    }
  }
}
