package dev.sluice.app.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How clients of a virtual cluster are spoken with, for people. */
final class TlsText {

  /** So long before its end a certificate is warned of. */
  private static final Duration SOON = Duration.ofDays(14);

  private TlsText() {}

  /** A line for each gateway that speaks TLS. */
  static List<String> lines(JsonNode cluster) {
    var lines = new ArrayList<String>();
    for (var gateway : cluster.path("gateways")) {
      var tls = gateway.path("tls");
      if (!tls.isMissingNode()) {
        lines.add(where(cluster, gateway) + ": " + line(tls));
      }
    }
    return lines;
  }

  private static String line(JsonNode tls) {
    var clients =
        switch (tls.path("clientAuth").asText()) {
          case "REQUIRED" -> "clients have to show a certificate";
          case "REQUESTED" -> "clients may show a certificate";
          default -> "clients are asked for no certificate";
        };
    var shown = tls.path("certificate");
    if (shown.isMissingNode()) {
      return "TLS, not set up; " + clients;
    }
    return "%s; %s; shows %s for %s, good until %s"
        .formatted(
            joined(tls.path("protocols")),
            clients,
            shown.path("subject").asText(),
            shown.path("names").isEmpty() ? "no name" : joined(shown.path("names")),
            shown.path("notAfter").asText());
  }

  /** What somebody should renew: a line each. */
  static List<String> warnings(JsonNode cluster, Instant now) {
    var warnings = new ArrayList<String>();
    for (var gateway : cluster.path("gateways")) {
      var end = gateway.path("tls").path("certificate").path("notAfter");
      if (end.isTextual() && Instant.parse(end.asText()).isBefore(now.plus(SOON))) {
        boolean over = Instant.parse(end.asText()).isBefore(now);
        warnings.add(
            "%s: the certificate that clients are shown %s at %s; renew it."
                .formatted(
                    where(cluster, gateway), over ? "has expired" : "expires", end.asText()));
      }
    }
    return warnings;
  }

  private static String where(JsonNode cluster, JsonNode gateway) {
    return cluster.path("name").asText() + ", gateway " + gateway.path("name").asText();
  }

  private static String joined(JsonNode texts) {
    var all = new ArrayList<String>();
    texts.forEach(text -> all.add(text.asText()));
    return String.join(", ", all);
  }
}
