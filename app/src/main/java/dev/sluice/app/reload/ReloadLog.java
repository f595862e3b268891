package dev.sluice.app.reload;

import dev.sluice.app.configuration.Finding.Severity;
import dev.sluice.app.reload.ReloadResult.Ending;
import dev.sluice.proxy.ReloadReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of reloads in the log, for who reads nothing else. */
final class ReloadLog {

  private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);

  private ReloadLog() {}

  static void tell(ReloadResult result) {
    switch (result.ending()) {
      case Ending.Done(var report, _) ->
          (result.isAsAsked() ? LOG.atInfo() : LOG.atWarn())
              .addKeyValue("reload", result.number())
              .addKeyValue("askedBy", result.askedBy())
              .addKeyValue("source", result.source())
              .addKeyValue("outcome", result.outcome())
              .addKeyValue("millis", result.took().toMillis())
              .addKeyValue("unchanged", unchanged(report))
              .log("Reload ended");
      case Ending.Invalid(var findings) -> {
        for (var finding : findings) {
          if (finding.severity() == Severity.ERROR) {
            LOG.atError()
                .addKeyValue("reload", result.number())
                .log("{}", finding.inFile(result.source()));
          }
        }
        refused(result, "Reload refused: errors were found; what runs goes on as it is");
      }
      case Ending.Unchangeable(var sections) ->
          refused(
              result,
              "Reload refused: "
                  + String.join(", ", sections)
                  + " cannot change while the process runs; start it again for that");
    }
  }

  private static void refused(ReloadResult result, String why) {
    LOG.atError()
        .addKeyValue("reload", result.number())
        .addKeyValue("askedBy", result.askedBy())
        .addKeyValue("source", result.source())
        .log("{}", why);
  }

  private static long unchanged(ReloadReport report) {
    return report.clusters().stream().filter(one -> one.outcome().isEmpty()).count();
  }
}
