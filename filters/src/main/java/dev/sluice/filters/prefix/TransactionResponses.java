package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Responses about transactions: names lose the prefix; other tenants' are left out. */
final class TransactionResponses {

  private final Prefix prefix;

  TransactionResponses(Prefix prefix) {
    this.prefix = prefix;
  }

  void addTo(Rows rows) {
    rows.add(
            ApiKeys.ADD_PARTITIONS_TO_TXN,
            AddPartitionsToTxnResponseData.class,
            this::addPartitions)
        .add(
            ApiKeys.TXN_OFFSET_COMMIT,
            TxnOffsetCommitResponseData.class,
            0,
            TransactionRequests.LAST_COMMIT_BY_NAME,
            (body, _) -> body.topics().forEach(topic -> topic.setName(prefix.in(topic.name()))))
        .add(ApiKeys.WRITE_TXN_MARKERS, WriteTxnMarkersResponseData.class, this::writeMarkers)
        .add(ApiKeys.DESCRIBE_TRANSACTIONS, DescribeTransactionsResponseData.class, this::describe)
        .add(ApiKeys.LIST_TRANSACTIONS, ListTransactionsResponseData.class, this::list);
  }

  private void addPartitions(AddPartitionsToTxnResponseData body, Exchange exchange) {
    Prefix.rename(body.resultsByTopicV3AndBelow(), topic -> topic.setName(prefix.in(topic.name())));
    Prefix.rename(
        body.resultsByTransaction(),
        transaction -> {
          transaction.setTransactionalId(prefix.in(transaction.transactionalId()));
          Prefix.rename(
              transaction.topicResults(), topic -> topic.setName(prefix.in(topic.name())));
        });
  }

  private void writeMarkers(WriteTxnMarkersResponseData body, Exchange exchange) {
    for (var marker : body.markers()) {
      marker.topics().forEach(topic -> topic.setName(prefix.in(topic.name())));
    }
  }

  private void describe(DescribeTransactionsResponseData body, Exchange exchange) {
    for (var transaction : body.transactionStates()) {
      transaction.setTransactionalId(prefix.in(transaction.transactionalId()));
      transaction.topics().removeIf(topic -> !prefix.owns(topic.topic()));
      Prefix.rename(transaction.topics(), topic -> topic.setTopic(prefix.in(topic.topic())));
    }
  }

  private void list(ListTransactionsResponseData body, Exchange exchange) {
    body.setTransactionStates(
        prefix.own(
            body.transactionStates(),
            ListTransactionsResponseData.TransactionState::transactionalId));
    for (var transaction : body.transactionStates()) {
      transaction.setTransactionalId(prefix.in(transaction.transactionalId()));
    }
  }
}
