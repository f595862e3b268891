package dev.sluice.app.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.configuration.ConfigurationFile.Outcome;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.lifecycle.ClusterState.Fallback;
import dev.sluice.lifecycle.reload.Mode;
import dev.sluice.lifecycle.reload.ReloadPolicy;
import dev.sluice.lifecycle.reload.Strategy;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReloadBindingTest {

  private static final String CLUSTERS =
      """

      virtualClusters:
        - name: orders
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways: [ { name: local, portIdentifiesNode: { bootstrapAddress: "localhost:9192" } } ]
      """;

  @Test
  void the_documented_defaults_hold_where_nothing_is_said() {
    assertThat(reload("{}"))
        .isEqualTo(
            new ReloadSpec(
                true,
                new ReloadPolicy(Mode.BEST_EFFORT, Strategy.LEAST_DISRUPTIVE, Fallback.ROLL_BACK)));
  }

  @Test
  void every_key_is_heeded() {
    assertThat(reload("{ watch: false, mode: atomic, strategy: drain, onFailure: keep-new }"))
        .isEqualTo(
            new ReloadSpec(
                false, new ReloadPolicy(Mode.ATOMIC, Strategy.DRAIN, Fallback.KEEP_NEW)));
  }

  @Test
  void what_is_not_known_is_an_error_with_its_place() {
    assertThat(read("{ mode: all }").findings())
        .extracting(finding -> finding.inFile("f"))
        .containsExactly("f:1:17: reload.mode: expected best-effort or atomic, found 'all'");
  }

  private static ReloadSpec reload(String yaml) {
    return ((Accepted) read(yaml)).configuration().reload();
  }

  private static Outcome read(String yaml) {
    var file = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty());
    return file.read("reload: " + yaml + CLUSTERS, Path.of("."));
  }
}
