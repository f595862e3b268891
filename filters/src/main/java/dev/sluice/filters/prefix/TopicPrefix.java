package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import dev.sluice.filter.Filter;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.ResponseVerdict;
import dev.sluice.filter.Wanted;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * One tenant's view of a cluster. Has no state of its own; any thread may call.
 *
 * <p>Topic ids pass as they are. They are random and 122 bits long, and a tenant is never told
 * another's: an id is as good as a name that cannot be guessed.
 */
final class TopicPrefix implements Filter {

  private final Rows requests = new Rows();
  private final Rows responses = new Rows();

  TopicPrefix(Prefix prefix) {
    new TopicRequests(prefix).addTo(requests);
    new TransactionRequests(prefix).addTo(requests);
    new GroupRequests(prefix).addTo(requests);
    new StreamsRequests(prefix).addTo(requests);
    new ResourceRequests(prefix).addTo(requests);
    new TopicResponses(prefix).addTo(responses);
    new TransactionResponses(prefix).addTo(responses);
    new GroupResponses(prefix).addTo(responses);
    new StreamsResponses(prefix).addTo(responses);
    new ResourceResponses(prefix).addTo(responses);
  }

  @Override
  public Wanted wanted() {
    var wanted =
        Wanted.NOTHING.andTransactionalProduce(
            TopicRequests.LAST_BY_NAME + 1, ApiKeys.PRODUCE.latestVersion());
    for (var range : requests.ranges()) {
      wanted = wanted.andRequests(range.key(), range.oldest(), range.newest());
    }
    for (var range : responses.ranges()) {
      wanted = wanted.andResponses(range.key(), range.oldest(), range.newest());
    }
    return wanted;
  }

  @Override
  public CompletionStage<RequestVerdict> onRequest(Exchange exchange, ApiMessage request) {
    var answer = requests.apply(request, exchange);
    return answer == null ? RequestVerdict.forward(request) : RequestVerdict.answer(answer);
  }

  @Override
  public CompletionStage<ResponseVerdict> onResponse(Exchange exchange, ApiMessage response) {
    responses.apply(response, exchange);
    return ResponseVerdict.forward(response);
  }
}
