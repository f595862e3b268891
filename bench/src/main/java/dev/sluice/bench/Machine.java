package dev.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What the run stands on, as far as the system tells. */
final class Machine {

  private static final Path PROC = Path.of("/proc");
  private static final double KIB_PER_GIB = 1 << 20;

  private Machine() {}

  /** One line: processor, cores, memory, kernel. */
  static String described() throws IOException {
    List<String> processors = Files.readAllLines(PROC.resolve("cpuinfo"));
    long cores = processors.stream().filter(line -> line.startsWith("processor")).count();
    String model =
        processors.stream()
            .filter(line -> line.startsWith("model name"))
            .map(Machine::value)
            .findFirst()
            .orElse(System.getProperty("os.arch"));
    double kibibytes =
        Files.readAllLines(PROC.resolve("meminfo")).stream()
            .filter(line -> line.startsWith("MemTotal"))
            .map(line -> value(line).replaceAll("\\D", ""))
            .mapToDouble(Double::parseDouble)
            .findFirst()
            .orElse(0);
    return String.format(
        Locale.ROOT,
        "%d cores of %s, %.0f GiB of memory, Linux %s",
        cores,
        model,
        kibibytes / KIB_PER_GIB,
        System.getProperty("os.version"));
  }

  /** The load averages of 1, 5 and 15 minutes. */
  static String load() throws IOException {
    String[] words = Files.readString(PROC.resolve("loadavg")).split(" ", -1);
    return words[0] + ", " + words[1] + ", " + words[2];
  }

  private static String value(String line) {
    return line.substring(line.indexOf(':') + 1).strip();
  }
}
