package dev.sluice.app.configuration;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Documents that went wrong where they do in people's hands, and where parsers have limits. */
final class MangledYaml {

  private static final int MOST_CHANGES = 4;
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_.$(){}:%/-]+");

  /** What stands in place of a key, a value or a part of one. */
  private static final List<String> ODD =
      List.of(
          "",
          "~",
          "null",
          "true",
          "-1",
          "0",
          "99999999999999999999999999",
          "1e999",
          ".nan",
          "0x7f",
          "[]",
          "{}",
          "[[[[[[]]]]]]",
          "{a: {b: {c: d}}}",
          "!!java.net.URL [x]",
          "!!binary aGFsbG8=",
          "&a [*a]",
          "*nowhere",
          "<<",
          "? [a, b]",
          "\"\\u0000\\uD800\"",
          "'",
          "\"",
          "|",
          ">-",
          "@",
          "`",
          "%",
          "\t",
          "é世界\u0301",
          "${env:SECRET}",
          "${env:MISSING}",
          "${env:",
          "$(nodeId)$(nodeId)",
          "{id}{pod}",
          "[::1]:70000",
          "a:b:c",
          ":",
          "999999h999999m",
          "1s1s",
          "0ms",
          "2147483648",
          "64 KiB",
          "9999999999GiB",
          "2000-01-01",
          "--- x",
          "...",
          "# x");

  private final RandomGenerator random;

  MangledYaml(RandomGenerator random) {
    this.random = random;
  }

  /** The document with one or a few changes. */
  String of(String document) {
    var mangled = document;
    for (int left = 1 + random.nextInt(MOST_CHANGES); left > 0; left--) {
      mangled = once(mangled);
    }
    return mangled;
  }

  private String once(String document) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> withOddToken(document);
      case 3 -> withTokenOf(document);
      case 4 -> withLines(document);
      case 5 -> withIndent(document);
      case 6 -> withCharacter(document);
      default -> nested(document);
    };
  }

  private String withOddToken(String document) {
    return replaced(document, ODD.get(random.nextInt(ODD.size())));
  }

  /** What stands elsewhere in it: names that exist twice, keys where others belong. */
  private String withTokenOf(String document) {
    var tokens = TOKEN.matcher(document).results().toList();
    return tokens.isEmpty()
        ? document
        : replaced(document, tokens.get(random.nextInt(tokens.size())).group());
  }

  private String replaced(String document, String by) {
    List<MatchResult> tokens = TOKEN.matcher(document).results().toList();
    if (tokens.isEmpty()) {
      return document + by;
    }
    var token = tokens.get(random.nextInt(tokens.size()));
    return document.substring(0, token.start()) + by + document.substring(token.end());
  }

  /** A line is missing, or is there again somewhere. */
  private String withLines(String document) {
    var lines = new ArrayList<>(document.lines().toList());
    if (lines.isEmpty()) {
      return document;
    }
    var line = lines.get(random.nextInt(lines.size()));
    if (random.nextBoolean()) {
      lines.remove(line);
    } else {
      lines.add(random.nextInt(lines.size() + 1), line);
    }
    return String.join("\n", lines);
  }

  private String withIndent(String document) {
    var lines = new ArrayList<>(document.lines().toList());
    if (lines.isEmpty()) {
      return document;
    }
    int at = random.nextInt(lines.size());
    var line = lines.get(at);
    lines.set(at, random.nextBoolean() ? "  " + line : line.stripLeading());
    return String.join("\n", lines);
  }

  private String withCharacter(String document) {
    if (document.isEmpty()) {
      return "\u0000";
    }
    int at = random.nextInt(document.length());
    char other = (char) random.nextInt(random.nextInt(8) == 0 ? 0x1_0000 : 0x80);
    return document.substring(0, at) + other + document.substring(at + 1);
  }

  /** Deeper than anybody needs, or repeated without being written out. */
  private String nested(String document) {
    int depth = 1 + random.nextInt(200);
    return switch (random.nextInt(3)) {
      case 0 -> replaced(document, "[".repeat(depth) + "]".repeat(depth));
      case 1 -> document + "\nx: " + "{a: ".repeat(depth) + "}".repeat(depth);
      default -> document + repeated();
    };
  }

  /** Lists of lists of aliases: few bytes that stand for very many values. */
  private String repeated() {
    var text = new StringBuilder("\na0: &a0 [x, x, x, x, x, x, x, x]\n");
    int levels = 1 + random.nextInt(9);
    for (int i = 1; i <= levels; i++) {
      var alias = "*a" + (i - 1);
      text.append(
          "a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", alias, alias, alias, alias)));
    }
    return text.toString();
  }
}
