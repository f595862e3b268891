package dev.sluice.bench;

import io.netty.util.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Properties;

/** What a run says of itself and found. */
final class Report {

  private final BenchPlan plan;
  private final Programs programs;
  private final String revision;
  private final String loadBefore;

  /** Made before the run, for the load of the machine. */
  Report(BenchPlan plan, Programs programs, String revision) throws IOException {
    this.plan = plan;
    this.programs = programs;
    this.revision = revision;
    this.loadBefore = Machine.load();
  }

  /** What is known before. */
  String head() throws IOException {
    return """
        * machine: %s; broker's files on %s
        * pinning: %s
        * versions: Sluice %s, Kafka %s, Netty %s, JDK %s, %s, %s
        * to repeat: `%s`"""
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
            plan.command());
  }

  String text(List<Measured> measured) throws IOException {
    return """
        %s
        * date: %s; load average (1, 5, 15 minutes) %s before the run and %s after it (the run itself
          is about 2)

        %s
        """
        .formatted(
            head(),
            LocalDate.now(ZoneOffset.UTC),
            loadBefore,
            Machine.load(),
            new ResultTable(measured).markdown().strip());
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
