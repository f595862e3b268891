package dev.sluice.filters.prefix;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** Kafka's own specification of a message, and messages filled in by it. */
final class Specification {

  /** What Kafka says that a field names. */
  private static final Set<String> NAMES = Set.of("topicName", "groupId", "transactionalId");

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonParser.Feature.ALLOW_COMMENTS).build();

  private final String name;
  private final JsonNode root;

  private Specification(String name) {
    this.name = name;
    try (var in = ApiKeys.class.getResourceAsStream("/common/message/" + name + ".json")) {
      this.root = JSON.readTree(Objects.requireNonNull(in, name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Specification request(ApiKeys key) {
    return new Specification(key.messageType.name + "Request");
  }

  static Specification response(ApiKeys key) {
    return new Specification(key.messageType.name + "Response");
  }

  String name() {
    return name;
  }

  /** A field that holds text: its path, the message's version, whether Kafka says it is a name. */
  record Field(String path, short version, boolean isName) {}

  /** The fields that hold text in some version. */
  List<Field> texts(short version) {
    var fields = new ArrayList<Field>();
    filled(
        version,
        field -> {
          fields.add(field);
          return "";
        });
    return fields;
  }

  /** A message with a value in every field, and one element in every list. */
  JsonNode filled(short version, Function<Field, String> text) {
    return object(root.path("fields"), "", version, text);
  }

  private ObjectNode object(
      JsonNode fields, String path, short version, Function<Field, String> text) {
    var object = JsonNodeFactory.instance.objectNode();
    for (var field : fields) {
      if (has(field.path("versions").asText(), version)) {
        var key = field.path("name").asText();
        var camel = Character.toLowerCase(key.charAt(0)) + key.substring(1);
        object.set(camel, value(field, path + key, version, text));
      }
    }
    return object;
  }

  private JsonNode value(JsonNode field, String path, short version, Function<Field, String> text) {
    var type = field.path("type").asText();
    if (type.startsWith("[]")) {
      var element = ((ObjectNode) field.deepCopy()).put("type", type.substring(2));
      return JsonNodeFactory.instance.arrayNode().add(value(element, path, version, text));
    }
    var json = JsonNodeFactory.instance;
    return switch (type) {
      case "string" ->
          json.textNode(
              text.apply(
                  new Field(path, version, NAMES.contains(field.path("entityType").asText()))));
      case "bool" -> json.booleanNode(true);
      case "int8" -> json.numberNode(path.contains("PatternType") ? 3 : 2);
      case "int16", "uint16", "int32", "uint32", "int64" -> json.numberNode(2);
      case "float64" -> json.numberNode(2.0);
      case "uuid" -> json.textNode("AAAAAAAAAAAAAAAAAAAAAA");
      case "bytes", "records" -> json.textNode("");
      default -> object(fieldsOf(field, type), path + ".", version, text);
    };
  }

  private JsonNode fieldsOf(JsonNode field, String type) {
    if (field.has("fields")) {
      return field.path("fields");
    }
    for (var struct : root.path("commonStructs")) {
      if (struct.path("name").asText().equals(type)) {
        return struct.path("fields");
      }
    }
    throw new IllegalStateException("expected fields of " + type + " in " + name + ", found none");
  }

  private static boolean has(String versions, short version) {
    if (versions.equals("none")) {
      return false;
    }
    if (versions.endsWith("+")) {
      return version >= Integer.parseInt(versions.substring(0, versions.length() - 1));
    }
    var ends = versions.split("-", 2);
    return version >= Integer.parseInt(ends[0])
        && version <= Integer.parseInt(ends[ends.length - 1]);
  }

  /** From JSON, by Kafka's own converter. */
  ApiMessage read(JsonNode json, short version) {
    try {
      return (ApiMessage)
          converter().getMethod("read", JsonNode.class, short.class).invoke(null, json, version);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name + " version " + version + ": " + json, e);
    }
  }

  /** To JSON, by Kafka's own converter. */
  JsonNode written(ApiMessage message, short version) {
    for (var method : converter().getMethods()) {
      if (method.getName().equals("write") && method.getParameterCount() == 2) {
        try {
          return (JsonNode) method.invoke(null, message, version);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(name + " version " + version + ": " + message, e);
        }
      }
    }
    throw new IllegalStateException("expected a converter for " + name + ", found none");
  }

  private Class<?> converter() {
    try {
      return Class.forName("org.apache.kafka.common.message." + name + "DataJsonConverter");
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
