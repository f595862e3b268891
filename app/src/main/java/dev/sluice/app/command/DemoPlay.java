package dev.sluice.app.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.audit.ReportJson;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Plays act after act, and keeps what came of them. Of the thread of the demo. */
final class DemoPlay {

  /** How long the load goes on before the first step, between steps and after the last. */
  private static final Duration BETWEEN_STEPS = Duration.ofSeconds(4);

  /** What the columns of a report are, told with the first. */
  private static final List<String> LEGEND =
      List.of(
          "",
          "LOST, DUP(licated), REORD(ered), CORR(upted): records. EXC: errors of the application.",
          "CANC: requests cancelled in flight. WARN, ERR: lines in the client's log.",
          "DISC: connections lost. REBOOT: began anew. REBAL: rebalances of its group.",
          "PAUSE: the longest without a record; in brackets, that before anything happened.");

  private final DemoStage stage;
  private final ObjectNode result = new ObjectMapper().createObjectNode();
  private final ArrayNode acts = result.putArray("acts");
  private final List<Told> told = new ArrayList<>();
  private int step;
  private boolean asExpected = true;
  private boolean withinLimits = true;

  DemoPlay(DemoStage stage) {
    this.stage = stage;
  }

  /** Whether every step came as expected, and clients noticed no more than they may. */
  boolean passed() {
    return asExpected && withinLimits;
  }

  /** For programs. */
  ObjectNode result() {
    return result.put("stepsAsExpected", asExpected).put("passed", passed());
  }

  void play(DemoAct act) throws IOException, InterruptedException {
    stage.tell("");
    stage.tell(act.says());
    stage.tell("Clients come aboard, of each virtual cluster its own.");
    try (var load = DemoLoad.start(act.cast(), stage)) {
      Thread.sleep(BETWEEN_STEPS);
      load.eventsBegin();
      for (var next : act.steps()) {
        stage.tell("");
        stage.tell("%d. %s".formatted(++step, next.says()));
        asExpected &= next.deed().play(stage);
        Thread.sleep(BETWEEN_STEPS);
        stage.tell("   %d records sent so far".formatted(load.sent()));
      }
      stage.tell("");
      stage.tell("The load has ended; reading everything once more ...");
      tell(act, load.finish());
    }
  }

  private void tell(DemoAct act, Map<DemoCast, AuditReport> reports) {
    var audits = acts.addObject().put("name", act.name()).putObject("audits");
    for (var entry : reports.entrySet()) {
      var cast = entry.getKey();
      var verdict = cast.limits().judge(entry.getValue());
      withinLimits &= verdict.passed();
      audits.set(cast.cluster(), ReportJson.tree(entry.getValue(), verdict));
      stage.tell("");
      stage.tell("What clients of " + cast.cluster() + " noticed, " + cast.says() + ":");
      ReportTable.lines(entry.getValue(), verdict).forEach(stage::tell);
      if (told.isEmpty()) {
        LEGEND.forEach(stage::tell);
      }
      told.add(new Told(cast, act, entry.getValue()));
    }
  }

  /** All of it in a few lines, for who has read no table. */
  void sumUp() {
    stage.tell("");
    stage.tell(
        "In sum: %d records acknowledged, %d lost, %d duplicated, %d reordered, %d corrupted."
            .formatted(
                sum(Measure.ACKNOWLEDGED),
                sum(Measure.LOST),
                sum(Measure.DUPLICATED),
                sum(Measure.REORDERED),
                sum(Measure.CORRUPTED)));
    for (var each : told) {
      stage.tell(
          "  %s, %s: errors that reached an application: %d; longest pause: %d ms"
              .formatted(
                  each.act().name(),
                  each.cast().cluster(),
                  each.sum(Measure.EXCEPTIONS),
                  each.longestPause().toMillis()));
    }
    stage.tell(
        passed()
            ? "PASSED: every step came as expected, and clients noticed no more than they may."
            : "FAILED: " + (asExpected ? "see what is FAILED above." : "a step came otherwise."));
  }

  private long sum(Measure measure) {
    return told.stream().mapToLong(each -> each.sum(measure)).sum();
  }

  /** What clients of one virtual cluster noticed in one act. */
  private record Told(DemoCast cast, DemoAct act, AuditReport report) {

    long sum(Measure measure) {
      return report.clients().stream()
          .filter(client -> client.tells(measure))
          .mapToLong(client -> client.total(measure))
          .sum();
    }

    Duration longestPause() {
      return report.clients().stream()
          .map(client -> client.longestPause(Window.EVENT))
          .max(Duration::compareTo)
          .orElse(Duration.ZERO);
    }
  }
}
