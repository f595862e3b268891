package dev.sluice.app.command;

import dev.sluice.app.configuration.ConfigurationSchema;
import picocli.CommandLine.Command;

/** {@code sluice schema}. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of configurations, for editors.",
    footer = {"", "Example:", "  sluice schema > sluice.schema.json"})
final class SchemaCommand implements Runnable {

  private final Terminal terminal;

  SchemaCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    terminal.out().print(ConfigurationSchema.load().text());
    terminal.out().flush();
  }
}
