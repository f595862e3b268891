package dev.sluice.filters.produce;

import dev.sluice.filter.Exchange;
import dev.sluice.filter.Filter;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.ResponseVerdict;
import dev.sluice.filter.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/** Keeps partitions with records that break a rule from the broker. No state; any thread. */
final class ProduceValidation implements Filter {

  private static final long NO_OFFSET = -1;

  private final RecordRules rules;

  ProduceValidation(RecordRules rules) {
    this.rules = rules;
  }

  /** It is kept of a request: what its response has to say beside the broker's. */
  private record Refused(List<TopicProduceResponse> topics) {}

  @Override
  public Wanted wanted() {
    return Wanted.NOTHING.andRequests(ApiKeys.PRODUCE).andResponses(ApiKeys.PRODUCE);
  }

  @Override
  public CompletionStage<RequestVerdict> onRequest(Exchange exchange, ApiMessage request) {
    var body = (ProduceRequestData) request;
    var refused = new ArrayList<TopicProduceResponse>();
    for (var each = body.topicData().iterator(); each.hasNext(); ) {
      var topic = each.next();
      var partitions = takeOut(topic);
      if (!partitions.isEmpty()) {
        refused.add(
            new TopicProduceResponse()
                .setName(topic.name())
                .setTopicId(topic.topicId())
                .setPartitionResponses(partitions));
      }
      if (topic.partitionData().isEmpty()) {
        each.remove();
      }
    }
    if (refused.isEmpty()) {
      return RequestVerdict.forward(body);
    }
    if (body.topicData().isEmpty()) {
      var answer = new ProduceResponseData();
      answer.responses().addAll(refused);
      return RequestVerdict.answer(answer);
    }
    exchange.keep(new Refused(refused));
    return RequestVerdict.forward(body);
  }

  /** Takes out the partitions of a topic that break a rule, and returns their answers. */
  private List<PartitionProduceResponse> takeOut(TopicProduceData topic) {
    var refused = new ArrayList<PartitionProduceResponse>();
    var sound = new ArrayList<ProduceRequestData.PartitionProduceData>();
    for (var partition : topic.partitionData()) {
      var broken = rules.broken(partition.records());
      if (broken.isEmpty()) {
        sound.add(partition);
      } else {
        refused.add(refusal(partition.index(), broken));
      }
    }
    if (!refused.isEmpty()) {
      topic.setPartitionData(sound);
    }
    return refused;
  }

  private static PartitionProduceResponse refusal(
      int partition, List<BatchIndexAndErrorMessage> broken) {
    return new PartitionProduceResponse()
        .setIndex(partition)
        .setErrorCode(Errors.INVALID_RECORD.code())
        .setBaseOffset(NO_OFFSET)
        .setRecordErrors(broken)
        .setErrorMessage(broken.getFirst().batchIndexErrorMessage());
  }

  @Override
  public CompletionStage<ResponseVerdict> onResponse(Exchange exchange, ApiMessage response) {
    var refused = exchange.kept(Refused.class);
    if (refused != null) {
      refused.topics().forEach(topic -> add((ProduceResponseData) response, topic));
    }
    return ResponseVerdict.forward(response);
  }

  private static void add(ProduceResponseData body, TopicProduceResponse refused) {
    for (var topic : body.responses()) {
      if (topic.name().equals(refused.name()) && topic.topicId().equals(refused.topicId())) {
        var all = new ArrayList<>(topic.partitionResponses());
        all.addAll(refused.partitionResponses());
        topic.setPartitionResponses(all);
        return;
      }
    }
    body.responses().add(refused);
  }
}
