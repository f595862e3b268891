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

  private static final String KUBERNETES = "kubernetes/src/test/java/dev/sluice/kubernetes/";
  private static final String REAL = "integration/src/test/java/dev/sluice/integration/";

  /** Behaviours that need pods; their tests are of other modules. */
  private static final List<PodRow> PODS =
      List.of(
          same(
              "P42 a pod stuck in CrashLoopBackOff, ImagePullBackOff, InvalidImageName",
              KUBERNETES,
              "PodReadingTest.a_pod_has_the_phase_that_its_parts_show"),
          new PodRow(
              "P42 a pod stuck in ContainerCreating",
              "It is on its way until `startGrace` is over: time decides, not a list of reasons.",
              KUBERNETES,
              "PodReadingTest.a_pod_has_the_phase_that_its_parts_show"),
          same(
              "P43, 3.5 a revision differs, of a set or of each pod",
              KUBERNETES,
              "PodReadingTest.a_revision_is_compared_with_what_the_owner_wants"),
          same(
              "P43, 3.5 another revision of Strimzi's pod set",
              KUBERNETES,
              "PodReadingTest.a_revision_of_strimzi_is_an_annotation_of_each_pod"),
          same(
              "3.5 manual roll: without an annotation nobody rolls",
              KUBERNETES,
              "PodReadingTest.what_asks_for_nothing_is_no_request"),
          same(
              "3.5 manual roll: an annotation of a pod",
              KUBERNETES,
              "PodReadingTest.a_request_on_a_pod_lasts_as_long_as_the_pod"),
          new PodRow(
              "3.5 manual roll: an annotation of the set",
              "Each pod that was started since is done, also after a crash of the roller.",
              KUBERNETES,
              "PodReadingTest.a_request_on_an_owner_has_the_time_that_is_known_best"),
          new PodRow(
              "3.5 partially rolled after a crash",
              "Another replica goes on, and restarts nothing twice.",
              REAL,
              "PodRollIT.the_second_replica_takes_over_from_one_that_was_killed_and_restarts_nothing_twice"),
          same(
              "3.5 an event for every restart, with its reasons",
              KUBERNETES,
              "RestartScribeTest.a_restart_leaves_events_at_pod_and_owner_with_its_reasons"),
          same(
              "S3 a crash loop, S4 an image that cannot be fetched, S5 no node: one pod is down",
              REAL,
              "PodRollIT.a_pod_that_does_not_start_halts_the_roll_with_one_server_down"),
          same(
              "S3, S4, S5 once that is mended: that pod goes first, and the roll comes to its end",
              KUBERNETES,
              "PodRollTest.a_pod_that_does_not_start_halts_the_roll_and_goes_first_once_that_is_mended"),
          same(
              "S5 pending or unschedulable, in the words of the API server",
              KUBERNETES,
              "PlatformTest.a_pod_that_does_not_start_tells_why_in_the_words_of_the_api"),
          same(
              "a disruption budget that allows nothing is waited for",
              REAL,
              "PodRollIT.pods_of_another_revision_are_made_anew_one_by_one_once_their_budget_allows"));

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
  void every_behaviour_of_pods_has_a_test() throws IOException {
    for (PodRow row : PODS) {
      int dot = row.test().indexOf('.');
      Path source = Path.of("..", row.folder(), row.test().substring(0, dot) + ".java");
      assertThat(Files.readString(source))
          .as(row.behaviour())
          .contains("  void " + row.test().substring(dot + 1) + "(");
    }
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
        "A availability, Q the quorum, 3.4 configuration, 3.5 small ones, 3.7 the public draft of a new roller,");
    lines.add("S its tests of whole systems.");
    lines.add("");
    lines.add("| behaviour | here | test |");
    lines.add("| --- | --- | --- |");
    tests()
        .forEach(
            (line, test) -> {
              String better = test.getAnnotation(Parity.class).better();
              String name = test.getDeclaringClass().getSimpleName() + "." + test.getName();
              lines.add(line(line, better, name));
            });
    lines.add("");
    lines.add("## Of pods");
    lines.add("");
    lines.add("| behaviour | here | test |");
    lines.add("| --- | --- | --- |");
    PODS.forEach(row -> lines.add(line(row.behaviour(), row.better(), row.test())));
    return lines;
  }

  private static String line(String behaviour, String better, String test) {
    return "| %s | %s | `%s` |"
        .formatted(behaviour, better.isEmpty() ? "same" : "on purpose, better: " + better, test);
  }

  private static PodRow same(String behaviour, String folder, String test) {
    return new PodRow(behaviour, "", folder, test);
  }

  /** A behaviour of pods, and the test of it in another module. */
  private record PodRow(String behaviour, String better, String folder, String test) {}

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
