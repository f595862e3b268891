package dev.sluice.app.command;

import dev.sluice.audit.Audit;
import dev.sluice.audit.AuditPlan;
import dev.sluice.audit.LogbackSource;
import dev.sluice.audit.Selection;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.Window;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Consumer;

/** Clients of both virtual clusters, and the books of them. Of the thread of the demo. */
final class DemoLoad implements AutoCloseable {

  private final SequencedMap<DemoCast, Audit> audits = new LinkedHashMap<>();

  /**
   * Brings clients aboard.
   *
   * @param bootstrapServers of each virtual cluster
   * @param witness past the proxy
   */
  static DemoLoad start(Map<String, String> bootstrapServers, String witness, Consumer<String> told)
      throws InterruptedException {
    var load = new DemoLoad();
    try {
      for (var cast : DemoCast.all()) {
        var servers = Objects.requireNonNull(bootstrapServers.get(cast.cluster()), cast.cluster());
        var plan =
            AuditPlan.of(servers).withWitness(witness).withClients(Selection.parse(cast.clients()));
        var audit = Audit.start(plan, new LogbackSource());
        load.audits.put(cast, audit);
        audit.awaitWarm(step -> told.accept(cast.cluster() + ": " + step));
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
