package dev.sluice.audit;

import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Verdict;
import dev.sluice.audit.ledger.Window;
import java.util.ArrayList;
import java.util.List;

/** A report as people read it: a line for each client, what was noticed, and the verdict. */
public final class ReportTable {

  private static final String NOTHING = "-";

  private ReportTable() {}

  /** The lines, without line ends. */
  public static List<String> lines(AuditReport report, Verdict verdict) {
    var lines = new ArrayList<String>();
    lines.addAll(aligned(rows(report)));
    List<String> noticed = noticed(report);
    if (!noticed.isEmpty()) {
      lines.add("");
      lines.add("Noticed:");
      lines.addAll(noticed);
    }
    report.skipped().forEach(client -> lines.add("SKIPPED: " + client));
    lines.add("");
    lines.addAll(told(verdict));
    return lines;
  }

  private static List<List<String>> rows(AuditReport report) {
    var rows = new ArrayList<List<String>>();
    var head = new ArrayList<String>(List.of("CLIENT"));
    for (Measure measure : Measure.values()) {
      head.add(measure.column().toUpperCase(java.util.Locale.ROOT));
    }
    head.add("PAUSE MS (BASELINE)");
    rows.add(head);
    report.clients().forEach(client -> rows.add(row(client)));
    return rows;
  }

  private static List<String> row(ClientReport client) {
    var row = new ArrayList<String>(List.of(client.client()));
    for (Measure measure : Measure.values()) {
      row.add(client.tells(measure) ? Long.toString(client.total(measure)) : NOTHING);
    }
    row.add(
        "%d (%d)"
            .formatted(
                client.longestPause(Window.EVENT).toMillis(),
                client.longestPause(Window.BASELINE).toMillis()));
    return row;
  }

  private static List<String> noticed(AuditReport report) {
    var lines = new ArrayList<String>();
    for (ClientReport client : report.clients()) {
      client
          .windows()
          .forEach(
              (window, page) ->
                  page.kinds()
                      .forEach(
                          (kind, count) ->
                              lines.add(
                                  "  %s, %s: %d x %s"
                                      .formatted(client.client(), window.shown(), count, kind))));
    }
    return lines;
  }

  private static List<String> told(Verdict verdict) {
    var lines = new ArrayList<String>();
    verdict.excused().forEach(line -> lines.add("NOT JUDGED: " + line));
    if (verdict.passed()) {
      lines.add("PASSED: within all limits");
    }
    verdict.breaches().forEach(breach -> lines.add("FAILED: " + breach));
    return lines;
  }

  private static List<String> aligned(List<List<String>> rows) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> aligned(row, widths)).toList();
  }

  private static String aligned(List<String> row, int[] widths) {
    var line = new StringBuilder(row.getFirst());
    line.repeat(' ', widths[0] - row.getFirst().length());
    for (int i = 1; i < row.size(); i++) {
      line.repeat(' ', 2 + widths[i] - row.get(i).length()).append(row.get(i));
    }
    return line.toString();
  }
}
