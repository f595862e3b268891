package dev.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EmbeddedClusterTest {

  @Test
  void three_combined_servers_start_and_leave_no_folder() throws Exception {
    EmbeddedCluster ended;
    try (var cluster = EmbeddedCluster.start(ClusterPlan.combined(3))) {
      assertThat(cluster.facts()).hasSize(3).allMatch(ServerFacts::alive);
      ended = cluster;
    }
    assertThat(ended.folder()).doesNotExist();
  }
}
