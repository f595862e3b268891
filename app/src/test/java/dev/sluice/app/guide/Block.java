package dev.sluice.app.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fenced block of a page for people.
 *
 * @param language what follows the fence: {@code yaml}, {@code console} and so on
 */
public record Block(Path page, int line, String language, String text) {

  private static final Path ROOT = Path.of("..");
  private static final Pattern FENCED =
      Pattern.compile("^```([^\\n]*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /** Of the README, the guide, and what else tells people what to type. */
  static List<Block> all() {
    return pages().stream().flatMap(page -> of(page).stream()).toList();
  }

  static List<Path> pages() {
    var pages =
        new ArrayList<>(
            Stream.of("README.md", "CONTRIBUTING.md", "monitoring/README.md")
                .map(ROOT::resolve)
                .toList());
    try (var guide = Files.list(ROOT.resolve("docs/guide"))) {
      guide.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pages;
  }

  static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of one page, in its order. */
  public static List<Block> of(Path page) {
    var text = read(page);
    return FENCED
        .matcher(text)
        .results()
        .map(
            found ->
                new Block(
                    page,
                    (int) text.substring(0, found.start()).lines().count() + 1,
                    found.group(1),
                    found.group(2)))
        .toList();
  }

  /** Without the ends of lines behind which a command goes on. */
  public String whole() {
    return text.replaceAll("\\\\\n\\s*", " ");
  }

  /** What it would have a person type. */
  List<String> commands() {
    return switch (language) {
      case "console" ->
          whole()
              .lines()
              .filter(line -> line.startsWith("$ "))
              .map(line -> line.substring(2))
              .toList();
      case "sh" -> whole().lines().filter(line -> !line.isBlank()).toList();
      default -> List.of();
    };
  }

  @Override
  public String toString() {
    return page + ":" + line;
  }
}
