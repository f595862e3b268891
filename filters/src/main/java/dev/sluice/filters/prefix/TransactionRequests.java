package dev.sluice.filters.prefix;

import com.google.re2j.PatternSyntaxException;
import dev.sluice.filter.Exchange;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Requests about transactions: transactional ids, groups and topics get the prefix. */
final class TransactionRequests {

  /** From here on brokers add partitions for several transactions at once. */
  static final int FIRST_BATCHED = 4;

  /** TxnOffsetCommit names topics up to here, and tells their ids after. */
  static final int LAST_COMMIT_BY_NAME = 5;

  private final Prefix prefix;

  TransactionRequests(Prefix prefix) {
    this.prefix = prefix;
  }

  void addTo(Rows rows) {
    rows.add(
            ApiKeys.INIT_PRODUCER_ID,
            InitProducerIdRequestData.class,
            (body, _) -> body.setTransactionalId(prefix.outOrNull(body.transactionalId())))
        .add(
            ApiKeys.ADD_PARTITIONS_TO_TXN, AddPartitionsToTxnRequestData.class, this::addPartitions)
        .add(
            ApiKeys.ADD_OFFSETS_TO_TXN,
            AddOffsetsToTxnRequestData.class,
            (body, _) ->
                body.setTransactionalId(prefix.out(body.transactionalId()))
                    .setGroupId(prefix.out(body.groupId())))
        .add(
            ApiKeys.END_TXN,
            EndTxnRequestData.class,
            (body, _) -> body.setTransactionalId(prefix.out(body.transactionalId())))
        .add(ApiKeys.TXN_OFFSET_COMMIT, TxnOffsetCommitRequestData.class, this::commitOffsets)
        .add(ApiKeys.WRITE_TXN_MARKERS, WriteTxnMarkersRequestData.class, this::writeMarkers)
        .add(
            ApiKeys.DESCRIBE_TRANSACTIONS,
            DescribeTransactionsRequestData.class,
            (body, _) -> body.setTransactionalIds(prefix.out(body.transactionalIds())))
        .judge(ApiKeys.LIST_TRANSACTIONS, ListTransactionsRequestData.class, this::list);
  }

  private void addPartitions(AddPartitionsToTxnRequestData body, Exchange exchange) {
    if (exchange.apiVersion() < FIRST_BATCHED) {
      body.setV3AndBelowTransactionalId(prefix.out(body.v3AndBelowTransactionalId()));
      Prefix.rename(body.v3AndBelowTopics(), topic -> topic.setName(prefix.topicOut(topic.name())));
      return;
    }
    Prefix.rename(
        body.transactions(),
        transaction -> {
          transaction.setTransactionalId(prefix.out(transaction.transactionalId()));
          Prefix.rename(
              transaction.topics(), topic -> topic.setName(prefix.topicOut(topic.name())));
        });
  }

  private void commitOffsets(TxnOffsetCommitRequestData body, Exchange exchange) {
    body.setTransactionalId(prefix.out(body.transactionalId()))
        .setGroupId(prefix.out(body.groupId()));
    if (exchange.apiVersion() <= LAST_COMMIT_BY_NAME) {
      body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
    }
  }

  private void writeMarkers(WriteTxnMarkersRequestData body, Exchange exchange) {
    for (var marker : body.markers()) {
      marker.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
    }
  }

  private @Nullable ApiMessage list(ListTransactionsRequestData body, Exchange exchange) {
    var pattern = body.transactionalIdPattern();
    if (pattern == null || pattern.isEmpty()) {
      return null;
    }
    try {
      body.setTransactionalIdPattern(PrefixedPattern.out(prefix, pattern));
      return null;
    } catch (PatternSyntaxException _) {
      return new ListTransactionsResponseData()
          .setErrorCode(Errors.INVALID_REGULAR_EXPRESSION.code());
    }
  }
}
