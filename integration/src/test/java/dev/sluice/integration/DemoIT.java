package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.embedded.FreePorts;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code sluice demo} as a person runs it. */
@Tag("acceptance")
class DemoIT {

  private static final int PORTS = 104;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Test
  void the_story_ends_well() throws Exception {
    var port = "" + FreePorts.inARow(PORTS);
    try (var demo =
        SluiceProcess.start("demo", "-o", "json", "--base-port", port, "--management-port", "0")) {
      assertThat(demo.exitStatus(LIMIT)).as(demo.said()).isZero();
      assertThat(demo.out()).contains("\"stepsAsExpected\" : true", "\"passed\" : true");
    }
  }
}
