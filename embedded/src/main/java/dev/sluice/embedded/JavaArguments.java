package dev.sluice.embedded;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command lines of the JVMs that this module starts. */
final class JavaArguments {

  private JavaArguments() {}

  /** The running JVM's own launcher. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The lines of an argument file for a server. */
  static String server(
      ServerFolder folder, ClusterPlan plan, String clusterId, List<String> quorumOptions) {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Xmx" + plan.heapMegabytes() + "m");
    arguments.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.awt.headless=true",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dslf4j.provider=ch.qos.logback.classic.spi.LogbackServiceProvider",
            "-Dlogback.configurationFile=dev/sluice/embedded/server-logback.xml",
            "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener"));
    arguments.add("-Dsluice.server.log=" + folder.log());
    arguments.add("--class-path");
    arguments.add(
        Stream.concat(Stream.of(ownCode()), plan.classpath().entries().stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator)));
    arguments.add(ServerMain.class.getName());
    arguments.add(folder.properties().toString());
    arguments.add(clusterId);
    arguments.addAll(quorumOptions);
    return arguments.stream()
        .map(JavaArguments::quoted)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** The whole command of a supervisor; it needs nothing but this module and the JDK. */
  static List<String> supervisor(ClusterFolder folder, boolean temporary) {
    return List.of(
        java(),
        "-Xmx32m",
        "-Xss512k",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--class-path",
        ownCode().toString(),
        Supervisor.class.getName(),
        folder.root().toString(),
        temporary ? "temporary" : "kept");
  }

  /** The jar or folder that the running classes of this module came from. */
  private static Path ownCode() {
    try {
      return Path.of(
          JavaArguments.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("Expected this module to be loaded from a file", e);
    }
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
