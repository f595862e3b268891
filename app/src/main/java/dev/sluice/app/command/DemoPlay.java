package dev.sluice.app.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.audit.ReportJson;
import dev.sluice.audit.ReportTable;
import dev.sluice.audit.ledger.AuditReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Plays act after act, and keeps what came of them. Of the thread of the demo. */
final class DemoPlay {

  /** How long the load goes on before the first step, between steps and after the last. */
  private static final Duration BETWEEN_STEPS = Duration.ofSeconds(4);

  private final DemoStage stage;
  private final ObjectNode result = new ObjectMapper().createObjectNode();
  private final ArrayNode acts = result.putArray("acts");
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
    }
  }
}
