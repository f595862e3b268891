package dev.sluice.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of JVMs that run a main class of this module, on the class path of this one. */
final class JavaCommand {

  /** The JVM that everything runs on. */
  static final String PROGRAM = tool("java");

  /** What tells a running JVM what to do. */
  static final String COLLECTOR = tool("jcmd");

  private JavaCommand() {}

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  static List<String> of(Class<?> main, String... options) {
    var command = new ArrayList<String>();
    command.add(PROGRAM);
    command.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return command;
  }
}
