package dev.sluice.app.configuration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a scalar with {@code ${env:NAME}} and {@code ${env:NAME:-DEFAULT}} replaced. What
 * came from the environment may be a secret: messages show the text as written.
 *
 * @param text with what the environment says
 * @param missing variables that are not set and have no default
 * @param replaced whether anything came from the environment
 * @param found what came from it, and how that is written
 */
record Substitution(
    String text, List<String> missing, boolean replaced, Map<String, String> found) {

  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{env:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");

  Substitution {
    missing = List.copyOf(missing);
    found = Map.copyOf(found);
  }

  /** Whether a text is nothing but one variable. */
  static boolean isVariable(String written) {
    return VARIABLE.matcher(written).matches();
  }

  static Substitution of(String written, Function<String, Optional<String>> environment) {
    var matcher = VARIABLE.matcher(written);
    var missing = new ArrayList<String>();
    var found = new HashMap<String, String>();
    var replacedText = new StringBuilder();
    var replaced = false;
    while (matcher.find()) {
      replaced = true;
      var set = environment.apply(matcher.group(1));
      set.filter(text -> !text.isEmpty()).ifPresent(text -> found.put(text, matcher.group()));
      var value = set.or(() -> Optional.ofNullable(matcher.group(2)));
      if (value.isEmpty()) {
        missing.add(matcher.group(1));
      }
      matcher.appendReplacement(replacedText, Matcher.quoteReplacement(value.orElse("")));
    }
    matcher.appendTail(replacedText);
    return new Substitution(replacedText.toString(), missing, replaced, found);
  }
}
