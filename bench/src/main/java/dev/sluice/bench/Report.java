package dev.sluice.bench;

import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Properties;

/** What a run says of itself and found. */
record Report(BenchPlan plan, Programs programs, String revision) {

  /** What is known before. */
  String head() throws IOException {
    return """
        * machine: %s; broker's files on %s
        * pinning: %s
        * versions: Sluice %s, Kafka %s, Netty %s, JDK %s, %s, %s
        * date of the last run: %s
        """
        .formatted(
            Machine.described(),
            Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir"))).type(),
            plan.pinning(),
            revision,
            kafka(),
            netty(),
            Runtime.version(),
            programs.haproxyVersion(),
            programs.kroxyliciousVersion(),
            today());
  }

  /**
   * One workload.
   *
   * @param loadBefore the load averages of the machine before it
   */
  String section(Findings found, String loadBefore) throws IOException {
    return """
        `%s`: **%s**

        %s
        * %s, Sluice %s; load average %s before and %s after (the run itself makes 1 to 2)
        * `%s`
        """
        .formatted(
            found.workload().label(),
            found.workload().title(),
            new ResultTables(found).markdown(),
            today(),
            revision,
            loadBefore,
            Machine.load(),
            plan.command(found.workload()));
  }

  private static LocalDate today() {
    return LocalDate.now(ZoneOffset.UTC);
  }

  private static String kafka() throws IOException {
    try (var file = Report.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      var properties = new Properties();
      if (file != null) {
        properties.load(file);
      }
      return properties.getProperty("version", "unknown");
    }
  }

  private static String netty() {
    var version = Version.identify().get("netty-common");
    return version == null ? "unknown" : version.artifactVersion();
  }
}
