package dev.sluice.app.command;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.Window;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** Clients of both virtual clusters, and the books of them. Of the thread of the demo. */
final class DemoLoad implements AutoCloseable {

  private final SequencedMap<DemoCast, Audit> audits = new LinkedHashMap<>();

  /** Brings clients aboard. */
  static DemoLoad start(List<DemoCast> all, DemoStage stage) throws InterruptedException {
    var load = new DemoLoad();
    try {
      for (var cast : all) {
        // The witness reads past the proxy.
        var plan =
            AuditPlan.of(stage.bootstrapServers(cast.cluster()))
                .withWitness(stage.kafka().bootstrapServers())
                .withClients(Selection.parse(cast.clients()));
        var audit = Audit.start(plan, new LogbackSource());
        load.audits.put(cast, audit);
        audit.awaitWarm(step -> stage.tell(cast.cluster() + ": " + step));
      }
      return load;
    } catch (IllegalStateException | InterruptedException e) {
      load.close();
      throw e;
    }
  }

  /** The baseline is over. */
  void eventsBegin() {
    audits.values().forEach(audit -> audit.enter(Window.EVENT));
  }

  long sent() {
    return audits.values().stream().mapToLong(Audit::sent).sum();
  }

  /** Ends the load; what each virtual cluster's clients found. */
  SequencedMap<DemoCast, AuditReport> finish() throws InterruptedException {
    var reports = new LinkedHashMap<DemoCast, AuditReport>();
    for (var audit : audits.entrySet()) {
      reports.put(audit.getKey(), audit.getValue().finish());
    }
    return reports;
  }

  @Override
  public void close() {
    audits.values().forEach(Audit::close);
  }
}
