package dev.sluice.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.Verdict;
import java.util.Locale;

/** A report for programs: everything of the table, by window. */
public final class ReportJson {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ReportJson() {}

  /** One JSON object. */
  public static JsonNode tree(AuditReport report, Verdict verdict) {
    ObjectNode root = JSON.createObjectNode();
    root.put("passed", verdict.passed());
    verdict.breaches().forEach(root.putArray("breaches")::add);
    verdict.excused().forEach(root.putArray("excused")::add);
    report.skipped().forEach(root.putArray("skipped")::add);
    var clients = root.putArray("clients");
    report.clients().forEach(client -> put(clients.addObject(), client));
    return root;
  }

  private static void put(ObjectNode node, ClientReport client) {
    node.put("client", client.client());
    node.put("role", client.role().name().toLowerCase(Locale.ROOT));
    ObjectNode windows = node.putObject("windows");
    client.windows().forEach((window, page) -> put(windows.putObject(window.shown()), page));
  }

  private static void put(ObjectNode node, ClientReport.Page page) {
    page.counts().forEach((measure, count) -> node.put(measure.shown(), count));
    node.put("longestPauseMs", page.longestPause().toMillis());
    ObjectNode kinds = node.putObject("noticed");
    page.kinds().forEach(kinds::put);
  }
}
