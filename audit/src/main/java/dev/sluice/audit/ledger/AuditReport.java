package dev.sluice.audit.ledger;

import java.util.List;

/**
 * What an audit found.
 *
 * @param clients one report for every client that ran
 * @param skipped clients that were asked for and could not run, and why
 * @param unproven what the audit itself could not do, so that its zeros prove nothing
 */
public record AuditReport(List<ClientReport> clients, List<String> skipped, List<String> unproven) {

  public AuditReport {
    clients = List.copyOf(clients);
    skipped = List.copyOf(skipped);
    unproven = List.copyOf(unproven);
  }

  /** The count over all clients and windows. */
  public long total(Measure measure) {
    return clients.stream().mapToLong(client -> client.total(measure)).sum();
  }
}
