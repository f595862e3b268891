package dev.sluice.app.command;

import dev.sluice.app.configuration.ConfigurationSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice schema}. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of configurations, for editors.",
    footer = {
      "",
      "Examples:",
      "  sluice schema > sluice.schema.json",
      "  sluice schema roll > roll.schema.json"
    })
final class SchemaCommand implements Runnable {

  /** Whose configuration. */
  enum Kind {
    proxy,
    roll
  }

  private final Terminal terminal;

  @Parameters(
      arity = "0..1",
      paramLabel = "KIND",
      defaultValue = "proxy",
      description = "proxy or roll (default: ${DEFAULT-VALUE}).")
  private Kind kind = Kind.proxy;

  SchemaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    var schema = kind == Kind.proxy ? ConfigurationSchema.load() : ConfigurationSchema.loadRoll();
    terminal.out().print(schema.text());
    terminal.out().flush();
  }
}
