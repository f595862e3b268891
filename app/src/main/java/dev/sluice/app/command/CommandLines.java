package dev.sluice.app.command;

import dev.sluice.app.configuration.ConfigurationSchema;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Puts the commands together. */
public final class CommandLines {

  private CommandLines() {}

  /** All commands, writing to this terminal. */
  public static CommandLine of(Terminal terminal) {
    var root = new RootCommand();
    var line = new CommandLine(root);
    var files =
        new ConfigurationOption.Reader(ConfigurationSchema::load, CommandLines::environment);
    line.addSubcommand(new UpCommand(terminal, files))
        .addSubcommand(new ProxyCommand(terminal, files))
        .addSubcommand(new ValidateCommand(terminal, files))
        .addSubcommand(new SchemaCommand(terminal))
        .addSubcommand(new StatusCommand(terminal))
        .addSubcommand(new ReloadCommand(terminal))
        .addSubcommand(new DemoCommand(terminal, files))
        .addSubcommand(new RetryCommand(terminal))
        .addSubcommand(new DrainCommand(terminal))
        .addSubcommand(new StartCommand(terminal))
        .addSubcommand(new RestartCommand(terminal))
        .addSubcommand(new StopCommand(terminal))
        .addSubcommand(new AuditCommand(terminal))
        .addSubcommand(roll(terminal))
        .addSubcommand(new CompletionCommand(terminal));
    everywhere(line);
    return line.setOut(terminal.out())
        .setErr(terminal.err())
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(terminal.interactive() ? Ansi.ON : Ansi.OFF))
        .setParameterExceptionHandler((e, _) -> badUsage(e))
        .setExecutionExceptionHandler((e, _, _) -> failed(e, root.debug(), terminal));
  }

  private static CommandLine roll(Terminal terminal) {
    return new CommandLine(new RollCommand())
        .addSubcommand(new RollPlanCommand(terminal, CommandLines::environment))
        .addSubcommand(new RollRunCommand(terminal, CommandLines::environment))
        .addSubcommand(new RollServeCommand(terminal, CommandLines::environment))
        .addSubcommand(new RollStatusCommand(terminal, CommandLines::environment));
  }

  private static void everywhere(CommandLine line) {
    line.getCommandSpec().mixinStandardHelpOptions(true).versionProvider(CommandLines::version);
    line.getCommandSpec().usageMessage().sortOptions(false).width(100);
    line.getSubcommands().values().forEach(CommandLines::everywhere);
  }

  private static String[] version() {
    var version = CommandLines.class.getPackage().getImplementationVersion();
    return new String[] {
      "sluice " + Objects.requireNonNullElse(version, "(not packaged)"), "Java " + Runtime.version()
    };
  }

  private static Optional<String> environment(String name) {
    return Optional.ofNullable(System.getenv(name));
  }

  private static int badUsage(ParameterException e) {
    var line = e.getCommandLine();
    line.getErr().println(e.getMessage());
    UnmatchedArgumentException.printSuggestions(e, line.getErr());
    line.getErr().println("Try '" + line.getCommandSpec().qualifiedName() + " --help'.");
    return ExitStatus.BAD_USAGE;
  }

  private static int failed(Exception e, boolean debug, Terminal terminal) {
    var told = e instanceof CommandFailedException ? e.getMessage() : "Failed unexpectedly: " + e;
    terminal.err().println(told);
    if (debug) {
      e.printStackTrace(terminal.err());
    } else if (!(e instanceof CommandFailedException)) {
      terminal.err().println("Run it again with --debug to see where.");
    }
    return ExitStatus.FAILED;
  }
}
