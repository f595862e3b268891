package dev.sluice.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.management.Ports;
import dev.sluice.app.run.PortInUseException.Wanted;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlaygroundTest {

  @Test
  void it_needs_the_documented_ports() {
    assertThat(new Playground(9192, 9190).ports())
        .extracting(Wanted::port)
        .containsExactly(9190, 9192, 9193, 9194, 9195, 9292, 9293, 9294, 9295);
  }

  @Test
  void ports_that_no_machine_has_are_refused() {
    assertThat(new Playground(9192, 9190).contradiction()).isEmpty();
    assertThat(new Playground(65_432, 0).contradiction()).isEmpty();
    assertThat(new Playground(65_433, 0).contradiction())
        .contains("Expected a base port of 1 to 65432, found 65433.");
    assertThat(new Playground(0, 0).contradiction()).isPresent();
    assertThat(new Playground(9192, -1).contradiction()).isPresent();
    assertThat(new Playground(9192, 65_536).contradiction()).isPresent();
  }

  @Test
  void a_management_port_that_a_virtual_cluster_needs_is_refused() {
    assertThat(new Playground(9190, 9190).contradiction().orElseThrow())
        .contains("9190 is also that of virtual cluster orders, bootstrap");
    assertThat(new Playground(9192, 9293).contradiction().orElseThrow())
        .contains("virtual cluster payments, node 1");
  }

  @Test
  void its_virtual_clusters_stand_before_the_same_servers() {
    var clusters = new Playground(9192, 0).configuration("127.0.0.1:1,127.0.0.1:2").proxy();

    assertThat(clusters.virtualClusters())
        .extracting(cluster -> cluster.bootstrapServers().toString())
        .containsExactly("[127.0.0.1:1, 127.0.0.1:2]", "[127.0.0.1:1, 127.0.0.1:2]");
  }

  @Test
  void its_text_says_the_same() {
    var configuration = new Playground(9192, 0).configuration("127.0.0.1:1,127.0.0.1:2");

    var read =
        new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.empty())
            .read(PlaygroundText.of(configuration), Path.of(""));

    assertThat(read.findings()).isEmpty();
    assertThat(read)
        .isInstanceOfSatisfying(
            Accepted.class,
            accepted -> assertThat(accepted.configuration()).isEqualTo(configuration));
  }

  @Test
  void ports_in_use_are_named_with_who_needs_them() throws IOException {
    var port = Ports.consecutive(1);
    try (var _ = Ports.occupy(port)) {
      assertThatExceptionOfType(PortInUseException.class)
          .isThrownBy(
              () ->
                  PortInUseException.check(
                      List.of(new Wanted("127.0.0.1", port, "the management API"))))
          .withMessageContaining(port + " (the management API)");
    }
  }

  @Test
  void an_address_of_another_machine_is_not_told_as_a_port_in_use() {
    assertThatExceptionOfType(PortInUseException.class)
        .isThrownBy(
            () ->
                PortInUseException.check(List.of(new Wanted("192.0.2.1", 0, "the management API"))))
        .withMessageContaining("address of this machine")
        .withMessageContaining("192.0.2.1")
        .withMessageNotContaining("in use");
  }
}
