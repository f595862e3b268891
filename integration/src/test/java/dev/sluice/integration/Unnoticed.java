package dev.sluice.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.audit.ReportTable;
import dev.sluice.audit.ledger.AuditReport;
import dev.sluice.audit.ledger.ClientReport;
import dev.sluice.audit.ledger.Limits;
import dev.sluice.audit.ledger.Measure;
import dev.sluice.audit.ledger.Window;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** That clients under load noticed nothing at all of what happened. */
final class Unnoticed {

  /**
   * What transactions make clients warn of at all times: the one before is not complete yet when
   * the first batches come, and what was sent behind those is out of order.
   */
  private static final Pattern USUAL =
      Pattern.compile(
          "warnings: Sender: Got error produce response .*"
              + " Error: (CONCURRENT_TRANSACTIONS|OUT_OF_ORDER_SEQUENCE_NUMBER)");

  private static final Set<String> TRANSACTIONAL = Set.of("java-transactional", "java-streams");

  private Unnoticed() {}

  /**
   * Nothing lost, repeated or reordered in the whole run; in the event no exception, failed
   * callback, cancelled request, ended connection, rebalance, error, re-bootstrap or warning of any
   * client.
   */
  static void assertUnnoticed(AuditReport report) {
    var verdict = Limits.DEFAULT.judge(report);
    var table = String.join("\n", ReportTable.lines(report, verdict));
    System.out.println(table);
    assertThat(verdict.breaches()).as(table).isEmpty();
    for (var client : report.clients()) {
      assertThat(noticed(client)).as("%s\n%s", client.client(), table).isEmpty();
      assertThat(warnings(client)).as("%s\n%s", client.client(), table).isEmpty();
    }
  }

  private static Set<String> warnings(ClientReport client) {
    var page = client.windows().get(Window.EVENT);
    return page == null
        ? Set.of()
        : page.kinds().keySet().stream()
            .filter(kind -> kind.startsWith(Measure.WARNINGS.shown()))
            .filter(kind -> !isUsual(client, kind))
            .collect(Collectors.toSet());
  }

  /** Whether a client warns of this without any event, too. */
  static boolean isUsual(ClientReport client, String kind) {
    return isUsual(client.client(), kind);
  }

  /** The same, of the client of this name. */
  static boolean isUsual(String client, String kind) {
    return TRANSACTIONAL.contains(client) && USUAL.matcher(kind).matches();
  }

  private static Map<Measure, Long> noticed(ClientReport client) {
    var noticed = new EnumMap<Measure, Long>(Measure.class);
    var event = client.windows().get(Window.EVENT);
    if (event != null) {
      event
          .counts()
          .forEach(
              (measure, count) -> {
                boolean bad = measure.compareTo(Measure.LOST) >= 0 && measure != Measure.WARNINGS;
                if (bad && count > 0) {
                  noticed.put(measure, count);
                }
              });
    }
    return noticed;
  }
}
