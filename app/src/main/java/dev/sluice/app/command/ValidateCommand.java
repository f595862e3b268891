package dev.sluice.app.command;

import dev.sluice.app.configuration.ConfigurationFile.Outcome.Accepted;
import dev.sluice.app.configuration.ConfigurationFile.Outcome.Rejected;
import dev.sluice.app.configuration.Finding;
import dev.sluice.app.configuration.Finding.Severity;
import dev.sluice.app.configuration.TlsCheck;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice validate}. */
@Command(
    name = "validate",
    description = "Tell everything that is wrong with a configuration, with line and column.",
    footer = {"", "Example:", "  sluice validate -c proxy.yaml"})
final class ValidateCommand implements Callable<Integer> {

  private final Terminal terminal;
  private final ConfigurationOption.Reader reader;
  @Mixin private final ConfigurationOption configuration = new ConfigurationOption();

  ValidateCommand(Terminal terminal, ConfigurationOption.Reader reader) {
    this.terminal = terminal;
    this.reader = reader;
  }

  @Override
  public Integer call() {
    var file = configuration.file();
    var outcome = reader.read(file);
    outcome.findings().forEach(finding -> terminal.out().println(finding.inFile(file.toString())));
    return switch (outcome) {
      case Accepted(var accepted, var findings) -> {
        var objections = TlsCheck.objections(accepted);
        if (!objections.isEmpty()) {
          objections.forEach(each -> terminal.out().println(file + ": " + each));
          terminal
              .out()
              .println(
                  file + ": not valid, " + count(objections.size(), "error") + warnings(findings));
          yield ExitStatus.FAILED;
        }
        var clusters = accepted.proxy().virtualClusters().size();
        terminal
            .out()
            .println(file + ": valid, " + count(clusters, "virtual cluster") + warnings(findings));
        yield ExitStatus.DONE;
      }
      case Rejected(var findings) -> {
        var errors = findings.stream().filter(f -> f.severity() == Severity.ERROR).count();
        terminal
            .out()
            .println(file + ": not valid, " + count(errors, "error") + warnings(findings));
        yield ExitStatus.FAILED;
      }
    };
  }

  private static String warnings(List<Finding> findings) {
    var warnings = findings.stream().filter(f -> f.severity() == Severity.WARNING).count();
    return warnings == 0 ? "" : ", " + count(warnings, "warning");
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
