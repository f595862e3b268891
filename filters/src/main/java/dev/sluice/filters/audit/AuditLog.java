package dev.sluice.filters.audit;

import dev.sluice.filter.Exchange;
import dev.sluice.filter.Filter;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.ResponseVerdict;
import dev.sluice.filter.Wanted;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;

/** Writes down who asks and what comes of it. No state; any thread may call. */
final class AuditLog implements Filter {

  private final Set<ApiKeys> audited;
  private final Consumer<AuditLine> journal;

  AuditLog(Set<ApiKeys> audited, Consumer<AuditLine> journal) {
    this.audited = audited;
    this.journal = journal;
  }

  @Override
  public Wanted wanted() {
    var wanted = Wanted.NOTHING;
    for (var key : audited) {
      wanted = wanted.andRequests(key).andResponses(key);
    }
    return wanted;
  }

  @Override
  public CompletionStage<RequestVerdict> onRequest(Exchange exchange, ApiMessage request) {
    journal.accept(
        new AuditLine.Asked(exchange.header(), exchange.client(), AuditedNames.of(request)));
    return RequestVerdict.forward(request);
  }

  @Override
  public CompletionStage<ResponseVerdict> onResponse(Exchange exchange, ApiMessage response) {
    journal.accept(
        new AuditLine.Answered(
            exchange.header(), exchange.client(), outcomes(response, exchange.apiVersion())));
    return ResponseVerdict.forward(response);
  }

  /** Kafka's own classes know where the errors of a response are; they read bytes only. */
  private static Map<String, Integer> outcomes(ApiMessage response, short version) {
    var bytes =
        new ByteBufferAccessor(MessageUtil.toByteBufferAccessor(response, version).buffer());
    var counted = new TreeMap<String, Integer>();
    AbstractResponse.parseResponse(ApiKeys.forId(response.apiKey()), bytes, version)
        .errorCounts()
        .forEach((error, count) -> counted.put(error.name(), count));
    return counted;
  }
}
