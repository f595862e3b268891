package dev.sluice.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where one server lives on disk.
 *
 * @param id the server's id
 * @param root the folder
 */
record ServerFolder(int id, Path root) {

  /** Enough to tell any two revisions of one server apart. */
  private static final int REVISION_BYTES = 6;

  /** The last part of a log that is looked at, in bytes. */
  private static final int TAIL_BYTES = 256 << 10;

  private static final Pattern ERROR = Pattern.compile(" ERROR |Exception|^Error|OutOfMemory");

  /** What the server is configured with at its next start. */
  Path properties() {
    return root.resolve("server.properties");
  }

  /** Options, class path, main class and arguments of the JVM, as the launcher reads them. */
  Path javaArguments() {
    return root.resolve("java.args");
  }

  Path logFolder() {
    return root.resolve("data");
  }

  Path log() {
    return root.resolve("server.log");
  }

  /** What the server wrote outside its log: JVM errors, the formatting of its storage. */
  Path output() {
    return root.resolve("server.out");
  }

  /** What the last JVM was started from, for whoever compares it with what a start would use. */
  Path startedProperties() {
    return root.resolve("started.properties");
  }

  Path startedArguments() {
    return root.resolve("started.args");
  }

  /** Where the server's agent tells its port, once it listens. */
  Path agentPort() {
    return root.resolve("agent.port");
  }

  /** Keeps a copy of everything that a start depends on, and answers its revision. */
  String keepAsStarted() throws IOException {
    Files.deleteIfExists(agentPort());
    Files.copy(javaArguments(), startedArguments(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(properties(), startedProperties(), StandardCopyOption.REPLACE_EXISTING);
    return revision();
  }

  void changeProperties(Map<String, String> changes) {
    Properties changed = PropertiesFile.read(properties());
    changes.forEach(changed::setProperty);
    PropertiesFile.write(properties(), changed);
  }

  /** A hash of everything that a start depends on. */
  String revision() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(Files.readAllBytes(javaArguments()));
      digest.update(Files.readAllBytes(properties()));
      return HexFormat.of().formatHex(digest.digest(), 0, REVISION_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException("Expected the files of a server in " + root, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** The last lines of output and log, at most so many of each. */
  List<String> lastLines(int most) {
    return Stream.of(output(), log()).flatMap(file -> last(most, tail(file)).stream()).toList();
  }

  /** The last lines of output and log that tell of errors, at most so many. */
  List<String> lastErrors(int most) {
    return last(
        most,
        Stream.of(output(), log())
            .flatMap(file -> tail(file).stream())
            .filter(line -> ERROR.matcher(line).find())
            .toList());
  }

  private static List<String> last(int most, List<String> lines) {
    return lines.subList(Math.max(0, lines.size() - most), lines.size());
  }

  private static List<String> tail(Path file) {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (var channel = Files.newByteChannel(file)) {
      channel.position(Math.max(0, channel.size() - TAIL_BYTES));
      var in = Channels.newInputStream(channel);
      var text = new String(in.readNBytes(TAIL_BYTES), StandardCharsets.UTF_8);
      return text.lines().toList();
    } catch (IOException e) {
      return List.of("(could not read " + file + ": " + e.getMessage() + ")");
    }
  }
}
