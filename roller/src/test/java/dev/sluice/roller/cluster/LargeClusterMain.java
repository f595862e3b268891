package dev.sluice.roller.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Observes the partitions of a cluster in a JVM of its own, whose heap is told on its command. */
final class LargeClusterMain {

  private LargeClusterMain() {}

  public static void main(String[] arguments) throws Exception {
    try (KafkaAccess kafka = KafkaAccess.open(arguments[0], Optional.empty(), Map.of())) {
      for (int look = 1; look <= 2; look++) {
        long began = System.nanoTime();
        var reduced = PartitionLook.of(kafka.brokers(), Duration.ofSeconds(60));
        System.out.printf(
            "look %d: %d partitions, %d bytes of them, in %d ms, in a heap of %d MB%n",
            look,
            reduced.partitions().count(),
            reduced.partitions().bytes(),
            Duration.ofNanos(System.nanoTime() - began).toMillis(),
            Runtime.getRuntime().maxMemory() >> 20);
      }
    }
  }
}
