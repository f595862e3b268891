package dev.sluice.app.guide;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;

/** A source on a page, without the imports that every reader's editor adds. */
final class JavaExample {

  private static final Pattern NAME = Pattern.compile("class (\\w+)");
  private static final String IMPORTS =
      """
      import dev.sluice.filter.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      import org.apache.kafka.common.message.*;
      import org.apache.kafka.common.protocol.*;

      """;

  private JavaExample() {}

  /** What the compiler has against it. */
  static List<String> errors(String source, Path directory) throws IOException {
    var name = NAME.matcher(source).results().findFirst().orElseThrow().group(1);
    var file = Files.writeString(directory.resolve(name + ".java"), IMPORTS + source);
    var compiler = ToolProvider.getSystemJavaCompiler();
    var found = new DiagnosticCollector<JavaFileObject>();
    try (var files = compiler.getStandardFileManager(found, null, null)) {
      compiler
          .getTask(
              null,
              files,
              found,
              List.of("-proc:none", "-d", directory.toString(), "-classpath", classPath()),
              null,
              files.getJavaFileObjects(file))
          .call();
    }
    return found.getDiagnostics().stream().map(Object::toString).toList();
  }

  /** Where these classes are, however this test was started. */
  private static String classPath() {
    return Stream.of(
            "dev.sluice.filter.FilterFactory",
            "org.apache.kafka.common.protocol.ApiKeys",
            "org.jspecify.annotations.NullMarked")
        .map(JavaExample::location)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String location(String className) {
    try {
      var source = Class.forName(className).getProtectionDomain().getCodeSource();
      return Path.of(source.getLocation().toURI()).toString();
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
