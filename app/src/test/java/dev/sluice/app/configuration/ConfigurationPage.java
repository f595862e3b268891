package dev.sluice.app.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Map;

/** Writes docs/generated/configuration.md from the JSON Schemas that configurations are held to. */
final class ConfigurationPage {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String DEFINITIONS = "#/$defs/";
  private static final String COLUMNS =
      "| key | expected | unless set | what it means |\n| --- | --- | --- | --- |\n";

  private final JsonNode schema;
  private final StringBuilder text = new StringBuilder();

  private ConfigurationPage(JsonNode schema) {
    this.schema = schema;
  }

  static String text() throws IOException {
    return """
    # Configuration

    Written by `ConfigurationPageTest` from the JSON Schemas that `sluice schema` and `sluice schema roll` print: do not
    edit. A key that is not here is an error, and so is one that is there twice. `[]` stands for each of a list, `*` for a
    name of your own. `${env:NAME}` in a value is replaced by an environment variable.

    # Of a proxy

    `sluice proxy -c FILE`, checked by `sluice validate -c FILE`.

    """
        + of(ConfigurationSchema.load())
        + """

    # Of a roll

    `sluice roll plan -c FILE`, which checks it, too.

    """
        + of(ConfigurationSchema.loadRoll());
  }

  private static String of(ConfigurationSchema schema) throws IOException {
    var page = new ConfigurationPage(MAPPER.readTree(schema.text()));
    page.sections();
    return page.text.toString().stripTrailing() + "\n";
  }

  /** One for every key of the document. */
  private void sections() {
    for (var property : schema.get("properties").properties()) {
      var resolved = resolved(property.getValue());
      text.append("## `").append(property.getKey()).append("`\n\n");
      text.append(COLUMNS);
      row(property.getKey(), resolved, isRequired(schema, property.getKey()));
      below(property.getKey(), resolved);
      text.append('\n');
    }
  }

  private void rows(String path, JsonNode holder) {
    for (Map.Entry<String, JsonNode> property : holder.path("properties").properties()) {
      var child = path + "." + property.getKey();
      var resolved = resolved(property.getValue());
      row(child, resolved, isRequired(holder, property.getKey()));
      below(child, resolved);
    }
  }

  private void below(String path, JsonNode node) {
    rows(path, node);
    if (node.path("additionalProperties").isObject()) {
      row(path + ".*", resolved(node.get("additionalProperties")), false);
    }
    if (node.has("items")) {
      var items = resolved(node.get("items"));
      if (items.has("properties")) {
        rows(path + "[]", items);
      }
    }
  }

  private void row(String path, JsonNode node, boolean required) {
    text.append(
        "| `%s` | %s | %s | %s |%n"
            .formatted(path, expected(node), unlessSet(node, required), meaning(node)));
  }

  private static String expected(JsonNode node) {
    return cell(node.path("title").asText());
  }

  private static String unlessSet(JsonNode node, boolean required) {
    if (required) {
      return "**required**";
    }
    var value = node.get("default");
    return value == null ? "" : "`" + (value.isTextual() ? value.asText() : value) + "`";
  }

  private String meaning(JsonNode node) {
    var items = node.has("items") ? resolved(node.get("items")) : MAPPER.createObjectNode();
    var said = node.path("description").asText(items.path("description").asText());
    var comment = node.path("$comment").asText(items.path("$comment").asText());
    return cell(comment.isEmpty() ? said : (said + " " + sentence(comment)).strip());
  }

  private static String sentence(String comment) {
    return Character.toUpperCase(comment.charAt(0)) + comment.substring(1) + ".";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static boolean isRequired(JsonNode holder, String key) {
    for (var each : holder.path("required")) {
      if (each.asText().equals(key)) {
        return true;
      }
    }
    return false;
  }

  /** What it refers to, with what it says itself on top. */
  private JsonNode resolved(JsonNode node) {
    var reference = node.path("$ref").asText();
    if (reference.isEmpty()) {
      return node;
    }
    var target = schema.get("$defs").get(reference.substring(DEFINITIONS.length()));
    var merged = (ObjectNode) resolved(target).deepCopy();
    merged.setAll((ObjectNode) node);
    merged.remove("$ref");
    return merged;
  }
}
