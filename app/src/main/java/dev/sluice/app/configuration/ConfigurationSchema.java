package dev.sluice.app.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.path.NodePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The published JSON Schema, which is the one place that says what a configuration may contain. A
 * {@code title} in it says what is expected there.
 */
public final class ConfigurationSchema {

  private static final String PROXY = "sluice.schema.json";
  private static final String ROLL = "roll.schema.json";

  private final String text;
  private final Schema schema;

  private ConfigurationSchema(String text) {
    this.text = text;
    this.schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(text, InputFormat.JSON);
  }

  /** The schema of a proxy's configuration, of this version. */
  public static ConfigurationSchema load() {
    return load(PROXY);
  }

  /** The schema of a roll's configuration, of this version. */
  public static ConfigurationSchema loadRoll() {
    return load(ROLL);
  }

  private static ConfigurationSchema load(String resource) {
    try (var in = ConfigurationSchema.class.getResourceAsStream(resource)) {
      var bytes = Objects.requireNonNull(in, resource).readAllBytes();
      return new ConfigurationSchema(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As published: JSON. */
  public String text() {
    return text;
  }

  /** Adds what the schema finds wrong to the findings of the document. */
  void judge(YamlDocument document) {
    var errors = schema.validate(document.root());
    if (errors.stream().filter(error -> takesQuotesOff(error, document)).count() > 0) {
      errors = schema.validate(document.root());
    }
    errors.forEach(error -> report(error, document));
  }

  /** Where a number or a truth value is expected, and a quoted variable says one. */
  private static boolean takesQuotesOff(Error error, YamlDocument document) {
    var elements = elements(error.getInstanceLocation());
    if (!error.getKeyword().equals("type") || elements.isEmpty()) {
      return false;
    }
    var value = document.unquoted(path(error.getInstanceLocation()));
    var parent = at(document.root(), elements.subList(0, elements.size() - 1));
    value.ifPresent(plain -> put(parent, elements.getLast(), plain));
    return value.isPresent();
  }

  private static void put(JsonNode parent, Object key, JsonNode value) {
    switch (parent) {
      case ObjectNode object -> object.set(key.toString(), value);
      case ArrayNode array -> array.set(Integer.parseInt(key.toString()), value);
      default -> {}
    }
  }

  private void report(Error error, YamlDocument document) {
    var findings = document.findings();
    var path = path(error.getInstanceLocation());
    var keyword = elements(error.getSchemaLocation().getFragment());
    var alternatives = keyword.indexOf("oneOf");
    if (alternatives >= 0) {
      var holder = at(keyword.subList(0, alternatives));
      findings.error(
          path, holder.path("$comment").asText() + ", found " + which(holder, error, document));
      return;
    }
    var holder = at(keyword.subList(0, keyword.size() - 1));
    switch (error.getKeyword()) {
      case "additionalProperties" -> unknownKey(path, error.getProperty(), holder, document);
      case "required" ->
          findings.error(path, "expected the key '" + error.getProperty() + "', which is missing");
      default ->
          findings.error(
              path,
              "expected "
                  + holder.path("title").asText(error.getMessage())
                  + ", found "
                  + document.shown(path, error.getInstanceNode()));
    }
  }

  private static String which(JsonNode holder, Error error, YamlDocument document) {
    var instance = at(document.root(), elements(error.getInstanceLocation()));
    var found = new ArrayList<String>();
    for (var alternative : holder.path("oneOf")) {
      var key = alternative.path("required").path(0).asText();
      if (instance.has(key)) {
        found.add(key);
      }
    }
    return found.isEmpty() ? "neither" : String.join(" and ", found);
  }

  private static void unknownKey(String path, String key, JsonNode holder, YamlDocument document) {
    var known = new ArrayList<String>();
    holder.path("properties").fieldNames().forEachRemaining(known::add);
    var child = ValuePath.child(path, key);
    var advice =
        Nearest.to(key, known)
            .map(near -> "; did you mean '" + near + "'?")
            .orElse(known.isEmpty() ? "" : "; known are " + String.join(", ", known));
    document.findings().error(child, document.keyAt(child), "unknown key '" + key + "'" + advice);
  }

  private JsonNode at(List<Object> elements) {
    return at(schema.getSchemaNode(), elements);
  }

  private static JsonNode at(JsonNode root, List<Object> elements) {
    var node = root;
    for (var element : elements) {
      node =
          node.isArray()
              ? node.path(Integer.parseInt(element.toString()))
              : node.path(element.toString());
    }
    return node;
  }

  private static List<Object> elements(NodePath path) {
    var elements = new ArrayList<Object>();
    for (int i = 0; i < path.getNameCount(); i++) {
      elements.add(path.getElement(i));
    }
    return elements;
  }

  private static String path(NodePath location) {
    var path = "";
    for (var element : elements(location)) {
      path =
          element instanceof Integer index
              ? ValuePath.child(path, index)
              : ValuePath.child(path, element.toString());
    }
    return path;
  }
}
