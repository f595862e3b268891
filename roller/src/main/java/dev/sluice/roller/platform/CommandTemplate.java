package dev.sluice.roller.platform;

import dev.sluice.roller.ServerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command with places, such as {@code [ssh, "{host}", systemctl, restart, kafka]}. Places are
 * {@code {id}} and whatever the server defines. No shell: a value is one argument, whatever is in
 * it.
 *
 * @param words the program and its arguments
 */
public record CommandTemplate(List<String> words) {

  private static final Pattern PLACE = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_]*)}");

  public CommandTemplate {
    words = List.copyOf(words);
    if (words.isEmpty() || words.getFirst().isBlank()) {
      throw new IllegalArgumentException(
          "expected a program and its arguments, found " + words + "; write them as a list");
    }
  }

  /**
   * For one server.
   *
   * @param values what its places stand for
   * @throws IllegalArgumentException if a place has no value
   */
  List<String> of(ServerSpec server, Map<String, String> values) {
    Map<String, String> all = new TreeMap<>(values);
    all.put("id", Integer.toString(server.id()));
    List<String> filled = new ArrayList<>();
    for (String word : words) {
      filled.add(PLACE.matcher(word).replaceAll(match -> value(match.group(1), all, server)));
    }
    return filled;
  }

  private static String value(String name, Map<String, String> values, ServerSpec server) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "expected a value of {%s} for server %d, found only those of %s"
              .formatted(name, server.id(), values.keySet()));
    }
    return Matcher.quoteReplacement(value);
  }
}
