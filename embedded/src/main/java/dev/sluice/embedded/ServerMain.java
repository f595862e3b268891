package dev.sluice.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The main class of a server JVM: formats the storage unless it is formatted, then runs Kafka's own
 * main class. When its standard input ends, its supervisor is no more, and the JVM ends at once.
 *
 * <p>Kafka's two command line classes are called by name, as its scripts do, so that the same
 * supervisor runs any version of Kafka that it is given the jars of.
 *
 * <p>Arguments: the properties file, the cluster id, then the options of {@code kafka-storage
 * format} that name the first quorum.
 */
final class ServerMain {

  /** As if ended by SIGKILL, which it replaces. */
  private static final int ENDED_WITH_SUPERVISOR = 137;

  private static final MethodType MAIN = MethodType.methodType(void.class, String[].class);
  private static final MethodType EXECUTE =
      MethodType.methodType(int.class, String[].class, PrintStream.class);

  private ServerMain() {}

  public static void main(String[] arguments) throws Throwable {
    Thread.ofPlatform().daemon().name("supervisor-watch").start(ServerMain::endWithSupervisor);
    ServerAgent.start(Path.of(arguments[0]).resolveSibling("agent.port"));
    var lookup = MethodHandles.publicLookup();
    int formatted =
        (int)
            lookup
                .findStatic(Class.forName("kafka.tools.StorageTool"), "execute", EXECUTE)
                .invokeExact(formatOptions(arguments), System.out);
    if (formatted != 0) {
      System.exit(formatted);
    }
    lookup
        .findStatic(Class.forName("kafka.Kafka"), "main", MAIN)
        .invokeExact(new String[] {arguments[0]});
  }

  private static String[] formatOptions(String[] arguments) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "format",
                "--ignore-formatted",
                "--config",
                arguments[0],
                "--cluster-id",
                arguments[1]));
    options.addAll(Arrays.asList(arguments).subList(2, arguments.length));
    return options.toArray(String[]::new);
  }

  private static void endWithSupervisor() {
    try (InputStream in = System.in) {
      while (in.read() >= 0) {
        // Nothing is ever sent; only the end matters.
      }
    } catch (IOException _) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(ENDED_WITH_SUPERVISOR);
  }
}
