package dev.sluice.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.proxy.Metric;
import dev.sluice.proxy.Metric.Label;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the alerts ask for what Sluice exposes, and runbooks are where alerts say. */
class MonitoringTest {

  private static final Path FOLDER = Path.of("..", "monitoring");
  private static final Pattern SELECTOR = Pattern.compile("(sluice_\\w+)(?:\\{([^}]*)\\})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
  private static final Pattern GROUPING =
      Pattern.compile("(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
  private static final Pattern SHOWN = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(\\w+)\\s*}}");
  private static final Pattern LABEL_VALUES =
      Pattern.compile("label_values\\((sluice_\\w+), (\\w+)\\)");

  /** Those that Prometheus adds itself, and the one of a histogram. */
  private static final Set<String> ADDED = Set.of("instance", "job", "le");

  record Question(String where, String expression, String shown) {}

  private static List<Metric> metrics() {
    return Stream.concat(ExposedMetrics.ofProxy().stream(), ExposedMetrics.ofRoll().stream())
        .toList();
  }

  @Test
  void every_metric_and_label_that_is_asked_for_is_defined() throws IOException {
    var questions = questions();

    assertThat(questions).hasSizeGreaterThan(30);
    assertThat(questions.stream().flatMap(question -> wrong(question).stream())).isEmpty();
  }

  @Test
  void a_question_about_what_is_not_exposed_is_found() {
    assertThat(wrong(new Question("x", "sluice_nonsense", ""))).hasSize(1);
    assertThat(wrong(new Question("x", "sluice_proxy_state{colour=\"red\"}", ""))).hasSize(1);
    assertThat(wrong(new Question("x", "sluice_proxy_state{state=\"red\"}", ""))).hasSize(1);
    assertThat(wrong(new Question("x", "sluice_proxy_state{state=~\"serving|red\"}", "")))
        .hasSize(1);
    assertThat(wrong(new Question("x", "sum by (api) (sluice_proxy_state)", ""))).hasSize(1);
    assertThat(wrong(new Question("x", "sluice_proxy_state", "{{colour}}"))).hasSize(1);
    assertThat(wrong(new Question("x", "sluice_proxy_state{state=\"serving\"}", "{{state}}")))
        .isEmpty();
  }

  @Test
  void every_metric_is_on_the_dashboard_or_is_alerted_on() throws IOException {
    var all = String.join("\n", questions().stream().map(Question::expression).toList());

    assertThat(metrics())
        .filteredOn(metric -> !metric.name().equals("sluice.build.info"))
        .filteredOn(metric -> !all.contains(metric.exposed()))
        .extracting(Metric::exposed)
        .isEmpty();
  }

  @Test
  void every_alert_leads_to_a_runbook() throws IOException {
    for (var rule : alerts()) {
      var name = rule.get("alert").asText();
      var runbook = rule.at("/annotations/runbook").asText().split("#", 2);
      var page = Files.readString(Path.of("..").resolve(runbook[0]));
      assertThat(anchors(page)).as("runbook of %s", name).contains(runbook[1]);
      assertThat(page).as("the runbook names its alert").contains("`" + name + "`");
      assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
    }
  }

  /** {@code PackagingIT} has it carried out, where the tool for that is installed. */
  @Test
  void when_each_alert_fires_is_in_the_tests_of_the_rules() throws IOException {
    var tests = Files.readString(FOLDER.resolve("test").resolve("prometheus-alerts-test.yaml"));

    assertThat(alerts())
        .extracting(rule -> rule.get("alert").asText())
        .allSatisfy(name -> assertThat(tests).contains("alertname: " + name + "\n"));
  }

  private static Set<String> anchors(String page) {
    var anchors = new TreeSet<String>();
    page.lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'))
        .forEach(anchors::add);
    return anchors;
  }

  private static List<String> wrong(Question question) {
    var wrong = new ArrayList<String>();
    var labels = new TreeSet<>(ADDED);
    for (var selector : SELECTOR.matcher(question.expression()).results().toList()) {
      var metric = metric(selector.group(1));
      if (metric.isEmpty()) {
        wrong.add(question.where() + ": no metric " + selector.group(1));
      } else {
        metric.get().labels().stream().map(Label::name).forEach(labels::add);
        MATCHER
            .matcher(Optional.ofNullable(selector.group(2)).orElse(""))
            .results()
            .filter(matcher -> !isPossible(metric.get(), matcher))
            .forEach(matcher -> wrong.add(question.where() + ": never " + matcher.group()));
      }
    }
    Stream.concat(
            GROUPING
                .matcher(question.expression())
                .results()
                .flatMap(grouping -> Stream.of(grouping.group(1).split(",\\s*", -1))),
            SHOWN.matcher(question.shown()).results().map(shown -> shown.group(1)))
        .filter(label -> !labels.contains(label))
        .forEach(label -> wrong.add(question.where() + ": no label " + label));
    return wrong;
  }

  private static Optional<Metric> metric(String series) {
    return metrics().stream().filter(metric -> metric.series().contains(series)).findFirst();
  }

  private static boolean isPossible(Metric metric, MatchResult matcher) {
    if (ADDED.contains(matcher.group(1))) {
      return true;
    }
    var values =
        matcher.group(2).endsWith("~")
            ? List.of(matcher.group(3).split("\\|", -1))
            : List.of(matcher.group(3));
    return metric.labels().stream()
        .filter(label -> label.name().equals(matcher.group(1)))
        .anyMatch(label -> label.values().isEmpty() || label.values().containsAll(values));
  }

  private static List<Question> questions() throws IOException {
    var questions = new ArrayList<Question>();
    for (var rule : alerts()) {
      questions.add(
          new Question(
              rule.get("alert").asText(),
              rule.get("expr").asText(),
              rule.get("annotations").toString().replace("$value", "")));
    }
    var dashboard = new ObjectMapper().readTree(FOLDER.resolve("grafana-dashboard.json").toFile());
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        questions.add(
            new Question(
                panel.get("title").asText(),
                target.get("expr").asText(),
                target.get("legendFormat").asText()));
      }
    }
    for (JsonNode variable : dashboard.at("/templating/list")) {
      var query = LABEL_VALUES.matcher(variable.path("definition").asText());
      if (query.matches()) {
        questions.add(
            new Question(
                variable.get("name").asText(), query.group(1), "{{" + query.group(2) + "}}"));
      }
    }
    return questions;
  }

  private static List<JsonNode> alerts() throws IOException {
    var text = Files.readString(FOLDER.resolve("prometheus-alerts.yaml"));
    var rules = new ArrayList<JsonNode>();
    JsonNode file = new ObjectMapper().valueToTree(new Yaml().<Object>load(text));
    file.get("groups").forEach(group -> group.get("rules").forEach(rules::add));
    return rules;
  }
}
