package dev.sluice.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every line of the checklist has a test, and docs/roller-parity.md says which. */
class ParityTableTest {

  private static final Path TABLE = Path.of("../docs/roller-parity.md");

  private static final List<Class<?>> TESTS =
      List.of(
          ParityOrderTest.class,
          ParityAvailabilityTest.class,
          ParityQuorumTest.class,
          ParityConfigurationTest.class,
          ParityNewRollerTest.class);

  private static final Comparator<String> ORDER =
      Comparator.<String>comparingInt(line -> "PAQ3".indexOf(line.charAt(0)))
          .thenComparingInt(line -> line.startsWith("3") ? 0 : Integer.parseInt(line.substring(1)))
          .thenComparing(Comparator.naturalOrder());

  @Test
  void every_line_of_the_checklist_has_a_test() {
    List<String> numbered = new ArrayList<>();
    IntStream.rangeClosed(1, 43).mapToObj("P%02d"::formatted).forEach(numbered::add);
    IntStream.rangeClosed(1, 11).mapToObj(i -> "A" + i).forEach(numbered::add);
    IntStream.rangeClosed(1, 14).mapToObj(i -> "Q" + i).forEach(numbered::add);
    assertThat(tests()).containsKeys(numbered.toArray(String[]::new));
    assertThat(tests().keySet().stream().filter(line -> line.startsWith("3.4"))).hasSize(35);
    assertThat(tests().keySet().stream().filter(line -> line.startsWith("3.7")))
        .hasSizeGreaterThanOrEqualTo(32);
  }

  @Test
  void the_table_in_the_documentation_is_what_the_tests_say() throws IOException {
    List<String> expected = table();
    if (Boolean.getBoolean("generate")) {
      Files.write(TABLE, expected);
    }
    assertThat(Files.readAllLines(TABLE)).as("written with -Dgenerate=true").isEqualTo(expected);
  }

  private static List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add("# Parity of the roller");
    lines.add("");
    lines.add(
        "Written by `ParityTableTest` from the tests themselves; `-Dgenerate=true` writes it anew.");
    lines.add(
        "Behaviours of the roller that people run today (Strimzi's `KafkaRoller`): P is the roller,");
    lines.add(
        "A availability, Q the quorum, 3.4 configuration, 3.7 the public draft of a new roller.");
    lines.add("");
    lines.add("| behaviour | here | test |");
    lines.add("| --- | --- | --- |");
    tests()
        .forEach(
            (line, test) -> {
              String better = test.getAnnotation(Parity.class).better();
              lines.add(
                  "| %s | %s | `%s.%s` |"
                      .formatted(
                          line,
                          better.isEmpty() ? "same" : "on purpose, better: " + better,
                          test.getDeclaringClass().getSimpleName(),
                          test.getName()));
            });
    return lines;
  }

  private static Map<String, Method> tests() {
    Map<String, Method> tests = new TreeMap<>(ORDER);
    TESTS.stream()
        .flatMap(each -> Stream.of(each.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Parity.class))
        .forEach(
            method -> {
              for (String line : method.getAnnotation(Parity.class).value()) {
                assertThat(tests.put(line, method)).as("two tests for " + line).isNull();
              }
            });
    return tests;
  }
}
