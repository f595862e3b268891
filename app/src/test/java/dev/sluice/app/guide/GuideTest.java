package dev.sluice.app.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.app.command.CommandLines;
import dev.sluice.app.command.Terminal;
import dev.sluice.app.configuration.ConfigurationFile;
import dev.sluice.app.configuration.ConfigurationSchema;
import dev.sluice.app.configuration.Finding;
import dev.sluice.app.configuration.Finding.Severity;
import dev.sluice.app.configuration.RollFile;
import dev.sluice.app.run.ExposedMetrics;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.MissingParameterException;

/**
 * What people copy works. The language of a fenced block says what is done with it:
 *
 * <ul>
 *   <li>{@code yaml}: accepted as the configuration of a proxy or of a roll; what is only a part of
 *       one is completed.
 *   <li>{@code console}: what follows {@code $} is typed, the rest is answered; {@code sh}: all of
 *       it is typed. Commands of Sluice parse, and paths of the management API are there.
 *   <li>{@code java}: compiles.
 *   <li>{@code text}: neither.
 *   <li>{@code … illustration}: of something else. There are few.
 * </ul>
 */
class GuideTest {

  private static final Set<String> LANGUAGES = Set.of("yaml", "console", "sh", "java", "text");
  private static final int MOST_ILLUSTRATIONS = 6;

  private static final Set<String> OTHER_PROGRAMS =
      Set.of(
          "kcat", "curl", "echo", "mvn", "kill", "ssh", "sed", "cp", "kubectl", "openssl",
          "keytool");

  private static final String A_VIRTUAL_CLUSTER =
      """
      virtualClusters:
        - name: any
          targetCluster: { bootstrapServers: "kafka-0:9092" }
          gateways: [ { name: local, portIdentifiesNode: { bootstrapAddress: "localhost:9192" } } ]
      """;

  /** What {@code sluice roll run --serve} answers, beside what a proxy does. */
  private static final String OF_A_ROLL = "/api/v1/rolls/current";

  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern CALL = Pattern.compile("`(GET|POST) ([^`]+)`");
  private static final Pattern METRIC = Pattern.compile("\\bsluice_[a-z_]*[a-z]\\b");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

  @TempDir private Path directory;

  static List<Block> blocks() {
    return Block.all();
  }

  static Stream<Block> yaml() {
    return blocks().stream().filter(block -> block.language().equals("yaml"));
  }

  static Stream<Block> sources() {
    return blocks().stream().filter(block -> block.language().equals("java"));
  }

  static Stream<Block> typed() {
    return blocks().stream().filter(block -> !block.commands().isEmpty());
  }

  static Stream<Path> pages() {
    return Block.pages().stream();
  }

  @Test
  void every_block_says_what_it_is_and_few_are_only_illustrations() {
    var others = blocks().stream().filter(block -> !LANGUAGES.contains(block.language())).toList();

    assertThat(others).allMatch(block -> block.language().endsWith(" illustration"));
    assertThat(others).hasSizeLessThanOrEqualTo(MOST_ILLUSTRATIONS);
  }

  @ParameterizedTest
  @MethodSource("yaml")
  void every_configuration_is_accepted(Block block) throws IOException {
    Files.writeString(directory.resolve("client.properties"), "");
    Files.writeString(directory.resolve("token"), "any");
    assertThat(findings(block.text()))
        .filteredOn(finding -> finding.severity() == Severity.ERROR)
        .extracting(finding -> finding.inFile(block.toString()))
        .isEmpty();
  }

  private List<Finding> findings(String text) {
    if (Pattern.compile("^platform:", Pattern.MULTILINE).matcher(text).find()) {
      var file = new RollFile(ConfigurationSchema.loadRoll(), _ -> Optional.of("1"));
      return file.read(text, directory).findings();
    }
    var file = new ConfigurationFile(ConfigurationSchema.load(), _ -> Optional.of("1"));
    var whole = text.contains("virtualClusters:") ? text : text + A_VIRTUAL_CLUSTER;
    return file.read(whole, directory).findings();
  }

  @ParameterizedTest
  @MethodSource("typed")
  void every_command_can_be_typed(Block block) {
    for (var line : block.commands()) {
      for (var words : ShellWords.of(line)) {
        assertTypable(words, block + ": " + line);
      }
    }
  }

  private static void assertTypable(List<String> words, String where) {
    var program = words.getFirst();
    if (program.endsWith("sluice")) {
      assertParses(words.subList(1, words.size()), where);
      return;
    }
    if (program.contains("/")) {
      assertThat(Path.of("..", program)).as(where).isExecutable();
      return;
    }
    assertThat(OTHER_PROGRAMS).as(where).contains(program);
    if (program.equals("curl")) {
      words.stream()
          .filter(word -> word.contains("localhost:9190"))
          .map(word -> URI.create(word.startsWith("http") ? word : "http://" + word).getPath())
          .forEach(path -> assertThat(paths()).as(where).anyMatch(path::matches));
    }
  }

  private static void assertParses(List<String> arguments, String where) {
    assertThatCode(() -> parse(arguments)).as(where).doesNotThrowAnyException();
  }

  private static void parse(List<String> arguments) {
    var silent = new PrintWriter(new StringWriter());
    CommandLines.of(new Terminal(silent, silent, false))
        .parseArgs(arguments.toArray(String[]::new));
  }

  /** In a sentence, what a command cannot do without may be left out. */
  private static void assertParsesSoFar(List<String> arguments, String where) {
    assertThatCode(
            () -> {
              try {
                parse(arguments);
              } catch (MissingParameterException _) {
                // The rest is as it should be.
              }
            })
        .as(where)
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_command_in_a_sentence_can_be_typed(Path page) {
    for (var code : found(CODE, page)) {
      if (code.group(1).matches("(\\./)?sluice [a-z].*")) {
        var words = ShellWords.of(code.group(1).replace("PORT", "9191")).getFirst();
        if (!words.contains("COMMAND")) {
          assertParsesSoFar(words.subList(1, words.size()), page + ": " + code.group());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_call_in_a_sentence_is_there(Path page) {
    for (var call : found(CALL, page)) {
      for (var path : call.group(2).replace("`", "").split(",\\s*", -1)) {
        var plain = path.strip().replaceAll("\\?.*", "");
        if (plain.startsWith("/api") || plain.matches("/[a-z]+")) {
          assertThat(paths()).as(page + ": " + call.group()).anyMatch(plain::matches);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_metric_in_a_sentence_is_there(Path page) {
    var defined =
        Stream.concat(ExposedMetrics.ofProxy().stream(), ExposedMetrics.ofRoll().stream())
            .flatMap(metric -> Stream.concat(Stream.of(metric.exposed()), metric.series().stream()))
            .toList();
    assertThat(found(METRIC, page)).extracting(MatchResult::group).isSubsetOf(defined);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void every_link_leads_somewhere(Path page) {
    for (var link : found(LINK, page)) {
      if (!link.group(1).matches("https?://.*")) {
        var parts = link.group(1).split("#", 2);
        var target =
            parts[0].isEmpty()
                ? page
                : Objects.requireNonNull(page.getParent()).resolve(parts[0]).normalize();
        assertThat(target).as("%s: %s", page, link.group()).exists();
        if (parts.length == 2) {
          assertThat(anchors(target)).as("%s: %s", page, link.group()).contains(parts[1]);
        }
      }
    }
  }

  @Test
  void every_page_of_the_guide_is_in_its_index() {
    var index = Block.read(Path.of("../docs/guide/README.md"));

    assertThat(Block.pages())
        .filteredOn(page -> page.toString().contains("guide") && !page.endsWith("README.md"))
        .allMatch(page -> index.contains("(" + page.getFileName() + ")"));
  }

  @ParameterizedTest
  @MethodSource("sources")
  void every_source_compiles(Block block) throws IOException {
    assertThat(JavaExample.errors(block.text(), directory)).as(block.toString()).isEmpty();
  }

  private static Set<String> anchors(Path page) {
    return Block.read(page)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  /** Of the management API, as patterns. */
  private static List<String> paths() {
    try (var in =
        CommandLines.class.getResourceAsStream("/dev/sluice/app/management/openapi.json")) {
      var described = new ObjectMapper().readTree(in).get("paths").properties().stream();
      return Stream.concat(described.map(Map.Entry::getKey), Stream.of(OF_A_ROLL))
          .map(path -> path.replaceAll("\\{\\w+}", "[^/]+"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<MatchResult> found(Pattern pattern, Path page) {
    return pattern.matcher(Block.read(page)).results().toList();
  }
}
