package com.example.topiclimit;

import dev.sluice.filter.Answer;
import dev.sluice.filter.Exchange;
import dev.sluice.filter.Filter;
import dev.sluice.filter.Forward;
import dev.sluice.filter.Inquirer;
import dev.sluice.filter.RequestVerdict;
import dev.sluice.filter.Wanted;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;

/**
 * Refuses to create topics when there would be too many. Asks the Kafka cluster each time, so it
 * has no state, and any thread may call it. Two clients that ask at once may both be let through.
 */
final class TopicLimit implements Filter {

  /** Every broker since Kafka 2.8 has it. */
  private static final short METADATA_VERSION = 11;

  private final long maxTopics;
  private final Inquirer inquirer;

  TopicLimit(long maxTopics, Inquirer inquirer) {
    this.maxTopics = maxTopics;
    this.inquirer = inquirer;
  }

  /** Nothing else is decoded: it passes this filter as bytes, and costs nothing. */
  @Override
  public Wanted wanted() {
    return Wanted.NOTHING.andRequests(ApiKeys.CREATE_TOPICS);
  }

  /**
   * Must not block: the verdict follows when the cluster has answered. If it does not, the stage
   * fails, and with it the client's connection: its request was not judged.
   */
  @Override
  public CompletionStage<RequestVerdict> onRequest(Exchange exchange, ApiMessage request) {
    var creation = (CreateTopicsRequestData) request;
    var allTopics = new MetadataRequestData().setTopics(null).setAllowAutoTopicCreation(false);
    return inquirer
        .ask(allTopics, METADATA_VERSION)
        .thenApply(answer -> verdict(creation, (MetadataResponseData) answer));
  }

  private RequestVerdict verdict(CreateTopicsRequestData creation, MetadataResponseData metadata) {
    long there = metadata.topics().stream().filter(topic -> !topic.isInternal()).count();
    return there + creation.topics().size() > maxTopics
        ? new Answer(refusal(creation, there))
        : new Forward(creation);
  }

  private CreateTopicsResponseData refusal(CreateTopicsRequestData creation, long there) {
    var response = new CreateTopicsResponseData();
    for (var topic : creation.topics()) {
      response
          .topics()
          .add(
              new CreatableTopicResult()
                  .setName(topic.name())
                  .setErrorCode(Errors.POLICY_VIOLATION.code())
                  .setErrorMessage(
                      "expected at most %d topics, found %d".formatted(maxTopics, there)));
    }
    return response;
  }
}
