import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Checks, or applies, google-java-format on every Java file below a folder, in one JVM. */
final class Format {

  private Format() {}

  public static void main(String[] arguments) throws IOException, FormatterException {
    boolean apply = arguments[0].equals("apply");
    Path root = Path.of(arguments[1]);
    int different = 0;
    for (Path file : sources(root)) {
      String before = Files.readString(file);
      String after = formatted(before);
      if (after.equals(before)) {
        continue;
      }
      different++;
      System.err.println((apply ? "formatted " : "not formatted: ") + root.relativize(file));
      if (apply) {
        Files.writeString(file, after);
      }
    }
    if (different > 0 && !apply) {
      System.err.println("Run build/format, then look at what it changed.");
      System.exit(1);
    }
  }

  private static String formatted(String source) throws FormatterException {
    var ordered =
        ImportOrderer.reorderImports(
            RemoveUnusedImports.removeUnusedImports(source), JavaFormatterOptions.Style.GOOGLE);
    return new Formatter().formatSource(ordered);
  }

  private static List<Path> sources(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !root.relativize(file).toString().matches("(.*/)?target/.*"))
          .sorted()
          .toList();
    }
  }
}
