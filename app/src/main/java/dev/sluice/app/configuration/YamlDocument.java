package dev.sluice.app.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.app.configuration.Findings.Position;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A YAML document as JSON values that remember where they stand. Scalars mean what the core schema
 * of YAML 1.2 says, so that {@code yes} and {@code 010} are texts.
 */
final class YamlDocument {

  /** Beyond this many levels a document is refused; the deepest that the schema knows is 7. */
  static final int MAX_DEPTH = 50;

  /** Beyond this many values, aliases counted each time, a document is refused. */
  static final int MAX_VALUES = 100_000;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Pattern INTEGER = Pattern.compile("[-+]?(0|[1-9][0-9]{0,30})");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(0|[1-9][0-9]{0,30})?\\.[0-9]{1,30}([eE][-+]?[0-9]{1,2})?");
  private static final Set<Tag> SCALAR_TAGS =
      Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.TIMESTAMP);

  private final Function<String, Optional<String>> environment;
  private final Map<String, Position> positions = new HashMap<>();
  private final Map<String, Position> keys = new HashMap<>();
  private final Map<String, String> written = new HashMap<>();

  /** Quoted texts that are nothing but a variable, as what they would be without quotes. */
  private final Map<String, JsonNode> unquoted = new HashMap<>();

  private final Findings findings = new Findings(positions);
  private final JsonNode root;
  private int values;

  private YamlDocument(String text, Function<String, Optional<String>> environment) {
    this.environment = environment;
    this.root = read(text);
  }

  /** Never fails: what is wrong is among {@link #findings()}. */
  static YamlDocument read(String text, Function<String, Optional<String>> environment) {
    return new YamlDocument(text, environment);
  }

  JsonNode root() {
    return root;
  }

  Findings findings() {
    return findings;
  }

  Position keyAt(String path) {
    return keys.getOrDefault(path, Position.START);
  }

  /** How a value reads in a message: as written, so that nothing of the environment is shown. */
  String shown(String path, JsonNode value) {
    if (ValuePath.isSecret(path)) {
      return "what is not shown";
    }
    return Optional.ofNullable(written.get(path)).orElseGet(() -> Shown.of(value));
  }

  private JsonNode read(String text) {
    var options = new LoaderOptions();
    options.setNestingDepthLimit(MAX_DEPTH);
    try {
      var node = new Yaml(new SafeConstructor(options)).compose(new StringReader(text));
      return node == null ? NODES.nullNode() : value("", node, 0);
    } catch (MarkedYAMLException e) {
      var mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
      findings.error("", position(mark), "expected YAML, found: " + problem(e));
    } catch (YAMLException e) {
      findings.error("", "expected YAML, found: " + e.getMessage());
    }
    return NODES.missingNode();
  }

  private static String problem(MarkedYAMLException e) {
    return e.getContext() == null ? e.getProblem() : e.getProblem() + " " + e.getContext();
  }

  private JsonNode value(String path, Node node, int depth) {
    positions.put(path, position(node.getStartMark()));
    if (++values > MAX_VALUES || depth > MAX_DEPTH) {
      throw new YAMLException(
          "more than "
              + MAX_VALUES
              + " values or "
              + MAX_DEPTH
              + " levels (an alias that contains itself?)");
    }
    return switch (node) {
      case MappingNode mapping -> mapping(path, mapping, depth);
      case SequenceNode sequence -> sequence(path, sequence, depth);
      case ScalarNode scalar -> scalar(path, scalar);
      default -> throw new YAMLException("a node of kind " + node.getNodeId());
    };
  }

  private JsonNode mapping(String path, MappingNode mapping, int depth) {
    var object = NODES.objectNode();
    var seen = new HashSet<String>();
    for (var entry : mapping.getValue()) {
      var keyPosition = position(entry.getKeyNode().getStartMark());
      if (!(entry.getKeyNode() instanceof ScalarNode keyNode)) {
        findings.error(path, keyPosition, "expected a key that is a text, found a list or mapping");
        continue;
      }
      var key = keyNode.getValue();
      var child = ValuePath.child(path, key);
      if (!seen.add(key)) {
        var first = keys.getOrDefault(child, Position.START);
        findings.error(
            child,
            keyPosition,
            "expected each key once, found it again; it first stands in line " + first.line());
        continue;
      }
      keys.put(child, keyPosition);
      object.set(key, value(child, entry.getValueNode(), depth + 1));
    }
    return object;
  }

  private JsonNode sequence(String path, SequenceNode sequence, int depth) {
    var array = NODES.arrayNode();
    for (var item : sequence.getValue()) {
      array.add(value(ValuePath.child(path, array.size()), item, depth + 1));
    }
    return array;
  }

  private JsonNode scalar(String path, ScalarNode scalar) {
    if (!SCALAR_TAGS.contains(scalar.getTag())) {
      findings.error(path, "expected a value without a tag, found " + scalar.getTag().getValue());
    }
    var substitution = Substitution.of(scalar.getValue(), environment);
    substitution.found().forEach(findings::conceal);
    for (var name : substitution.missing()) {
      findings.error(
          path,
          "expected the environment variable "
              + name
              + " to be set, found that it is not; set it before starting");
    }
    if (substitution.replaced()) {
      written.put(path, "'" + scalar.getValue() + "'");
    }
    if (!scalar.isPlain() && Substitution.isVariable(scalar.getValue())) {
      unquoted.put(path, plain(substitution.text()));
    }
    return scalar.isPlain() ? plain(substitution.text()) : NODES.textNode(substitution.text());
  }

  /**
   * What a value is where no text is expected: YAML wants quotes around a variable within braces,
   * also where it stands for a number. Empty where that makes no difference.
   */
  Optional<JsonNode> unquoted(String path) {
    return Optional.ofNullable(unquoted.get(path)).filter(value -> !value.isTextual());
  }

  private static JsonNode plain(String text) {
    return switch (text) {
      case "", "~", "null", "Null", "NULL" -> NODES.nullNode();
      case "true", "True", "TRUE" -> NODES.booleanNode(true);
      case "false", "False", "FALSE" -> NODES.booleanNode(false);
      case String number when INTEGER.matcher(number).matches() ->
          NODES.numberNode(new BigInteger(number));
      case String number when DECIMAL.matcher(number).matches() ->
          NODES.numberNode(new BigDecimal(number));
      default -> NODES.textNode(text);
    };
  }

  private static Position position(Mark mark) {
    return new Position(mark.getLine() + 1, mark.getColumn() + 1);
  }
}
