package dev.sluice.filters.audit;

import dev.sluice.filter.RequestHeader;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** A line of an audit. */
sealed interface AuditLine {

  /** Somebody asks for something. */
  record Asked(RequestHeader header, InetSocketAddress client, List<String> about)
      implements AuditLine {}

  /** It was answered: how often with which error, NONE among them. */
  record Answered(RequestHeader header, InetSocketAddress client, Map<String, Integer> outcomes)
      implements AuditLine {}
}
