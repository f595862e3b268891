package dev.sluice.roller.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The answers are generated; what asks and decodes is Kafka's own client. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LargeClusterTest {

  private static final int LIMIT_SECONDS = 120;

  @Test
  void two_hundred_thousand_partitions_are_observed_in_64_megabytes() throws Exception {
    try (var broker = new GeneratedBroker(10_000, 20)) {
      var process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-XX:+ExitOnOutOfMemoryError",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LargeClusterMain.class.getName(),
                  broker.address())
              .redirectErrorStream(true)
              .start();
      try {
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(said);
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said)
            .contains("look 1: 200000 partitions, 1800000 bytes", "look 2: 200000 partitions");
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void a_topic_that_vanishes_between_listing_and_description_is_passed_over() throws Exception {
    try (var broker = new GeneratedBroker(100, 3);
        var kafka = KafkaAccess.open(broker.address(), Optional.empty(), Map.of())) {
      broker.vanish(GeneratedBroker.topic(42));

      var reduced = PartitionLook.of(kafka.brokers(), Duration.ofSeconds(60));

      assertThat(reduced.partitions().count()).isEqualTo(99 * 3);
      assertThat(reduced.starving()).isEmpty();
      assertThat(reduced.astray()).isEmpty();
    }
  }
}
