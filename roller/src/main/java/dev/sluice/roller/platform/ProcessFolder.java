package dev.sluice.roller.platform;

import java.io.IOException;
import java.io.Reader;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Where a supervisor keeps one server: what it would be started from, what it was started from, and
 * what it said.
 */
record ProcessFolder(Path root) {

  private static final int REVISION_BYTES = 6;
  private static final int TAIL_BYTES = 64 << 10;
  private static final Pattern ERROR = Pattern.compile(" ERROR |Exception");

  Path properties() {
    return root.resolve("server.properties");
  }

  /** Of what it would be started from now. */
  String revisionDesired(Predicate<String> ignored) throws IOException {
    return revision(root.resolve("java.args"), properties(), ignored);
  }

  /** Of what it was started from. */
  String revisionRunning(Predicate<String> ignored) throws IOException {
    return revision(root.resolve("started.args"), root.resolve("started.properties"), ignored);
  }

  static Map<String, String> read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    Map<String, String> values = new TreeMap<>();
    properties.forEach((key, value) -> values.put(key.toString(), value.toString()));
    return values;
  }

  /** The last lines of what its JVM and its log said, at most so many of each. */
  List<String> lastWords(int most) {
    List<String> words = new ArrayList<>();
    for (String name : List.of("server.out", "server.log")) {
      List<String> lines = tail(root.resolve(name));
      words.addAll(lines.subList(Math.max(0, lines.size() - most), lines.size()));
    }
    return words;
  }

  /** The last line that tells of an error, of its log or of its JVM; or the last line of all. */
  String lastError() {
    List<String> words = lastWords(Integer.MAX_VALUE);
    return words.reversed().stream()
        .filter(line -> ERROR.matcher(line).find())
        .findFirst()
        .orElse(words.isEmpty() ? "it said nothing" : words.getLast())
        .strip();
  }

  private static String revision(Path arguments, Path properties, Predicate<String> ignored)
      throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(Files.readAllBytes(arguments));
      read(properties)
          .forEach(
              (key, value) -> {
                if (!ignored.test(key)) {
                  digest.update((key + "=" + value + "\n").getBytes(StandardCharsets.UTF_8));
                }
              });
      return HexFormat.of().formatHex(digest.digest(), 0, REVISION_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static List<String> tail(Path file) {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (var channel = Files.newByteChannel(file)) {
      channel.position(Math.max(0, channel.size() - TAIL_BYTES));
      byte[] bytes = Channels.newInputStream(channel).readNBytes(TAIL_BYTES);
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of("(could not read " + file + ": " + e.getMessage() + ")");
    }
  }
}
