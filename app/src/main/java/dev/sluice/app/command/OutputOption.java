package dev.sluice.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Option;

/** {@code -o table|json|yaml}. */
final class OutputOption {

  /** How a result is written. */
  enum Form {
    table,
    json,
    yaml
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "table, json or yaml (default: ${DEFAULT-VALUE}).")
  private Form form = Form.table;

  Form form() {
    return form;
  }

  /** A result as JSON or YAML. */
  String text(JsonNode value) {
    var mapper = new ObjectMapper();
    try {
      if (form == Form.json) {
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(value);
      }
      var options = new DumperOptions();
      options.setDefaultFlowStyle(FlowStyle.BLOCK);
      return new Yaml(options).dump(mapper.convertValue(value, Object.class)).stripTrailing();
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
