package dev.sluice.app.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.protocol.Endpoint;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A mapping of the document and where it stands. What has the wrong shape is absent here: the
 * schema has already said so, and one mistake is told once.
 */
final class Entry {

  private final YamlDocument document;
  private final String path;
  private final JsonNode value;

  Entry(YamlDocument document, String path, JsonNode value) {
    this.document = document;
    this.path = path;
    this.value = value;
  }

  static Entry root(YamlDocument document) {
    return new Entry(document, "", document.root());
  }

  String path() {
    return path;
  }

  String path(String key) {
    return ValuePath.child(path, key);
  }

  boolean has(String key) {
    return value.has(key);
  }

  /** The mapping under a key; one without keys if it is not there. */
  Entry entry(String key) {
    return new Entry(document, path(key), value.path(key));
  }

  /** The mappings of the list under a key. */
  List<Entry> entries(String key) {
    var entries = new ArrayList<Entry>();
    for (var item : value.path(key)) {
      entries.add(new Entry(document, ValuePath.child(path(key), entries.size()), item));
    }
    return entries;
  }

  /** The keys of the mapping, in the order of the document. */
  List<String> keys() {
    var keys = new ArrayList<String>();
    value.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  /** What stands here if it is no mapping but a text. */
  Optional<String> asText() {
    return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
  }

  /** The texts of the list under a key. */
  Optional<List<String>> texts(String key) {
    if (!value.path(key).isArray()) {
      return Optional.empty();
    }
    var texts = new ArrayList<String>();
    value.path(key).forEach(item -> texts.add(item.asText()));
    return Optional.of(texts);
  }

  /** The texts of the mapping under a key, by their keys. */
  Map<String, String> pairs(String key) {
    var pairs = new TreeMap<String, String>();
    value
        .path(key)
        .properties()
        .forEach(pair -> pairs.put(pair.getKey(), pair.getValue().asText()));
    return pairs;
  }

  Optional<Boolean> bool(String key) {
    return valid(key).filter(JsonNode::isBoolean).map(JsonNode::asBoolean);
  }

  Optional<String> text(String key) {
    return valid(key).filter(JsonNode::isTextual).map(JsonNode::asText);
  }

  Optional<Integer> integer(String key) {
    return valid(key)
        .filter(JsonNode::canConvertToInt)
        .filter(JsonNode::isIntegralNumber)
        .map(JsonNode::asInt);
  }

  Optional<Long> number(String key) {
    return valid(key)
        .filter(JsonNode::canConvertToLong)
        .filter(JsonNode::isIntegralNumber)
        .map(JsonNode::asLong);
  }

  Optional<Boolean> flag(String key) {
    return valid(key).filter(JsonNode::isBoolean).map(JsonNode::asBoolean);
  }

  Optional<Duration> duration(String key) {
    return converted(key, Quantities::duration, "a duration such as 10s, 1m30s or 500ms");
  }

  Optional<Endpoint> endpoint(String key) {
    return converted(key, Quantities::endpoint, "HOST:PORT with a port of 1 to 65535");
  }

  /**
   * @param directory to which it is relative
   */
  Optional<Path> path(String key, Path directory) {
    return converted(key, text -> resolved(directory, text), "a path that may be on this system");
  }

  private static Optional<Path> resolved(Path directory, String text) {
    try {
      return Optional.of(directory.resolve(text));
    } catch (InvalidPathException _) {
      return Optional.empty(); // With a character that no path has here, NUL for one.
    }
  }

  /** In bytes. */
  Optional<Long> size(String key) {
    return valid(key).filter(JsonNode::isValueNode).map(JsonNode::asText).flatMap(Quantities::size);
  }

  void error(String key, String message) {
    document.findings().error(path(key), message);
  }

  /** About all that stands here. */
  void error(String message) {
    document.findings().error(path, message);
  }

  void warning(String key, String message) {
    document.findings().warning(path(key), message);
  }

  /** How the value under a key reads in a message. */
  String shown(String key) {
    return document.shown(path(key), value.path(key));
  }

  private <T> Optional<T> converted(
      String key, Function<String, Optional<T>> conversion, String expected) {
    var text = text(key);
    var converted = text.flatMap(conversion);
    if (text.isPresent() && converted.isEmpty()) {
      error(key, "expected " + expected + ", found " + shown(key));
    }
    return converted;
  }

  private Optional<JsonNode> valid(String key) {
    var child = value.path(key);
    return child.isMissingNode() || document.findings().anyErrorAt(path(key))
        ? Optional.empty()
        : Optional.of(child);
  }
}
