package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import java.util.List;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.AlterReplicaLogDirsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData;
import org.apache.kafka.common.message.ElectLeadersResponseData.ReplicaElectionResult;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.ListPartitionReassignmentsResponseData.OngoingTopicReassignment;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/** Responses about topics: names lose the prefix; other tenants' topics are left out. */
final class TopicResponses {

  private static final int NO_OPERATIONS = Integer.MIN_VALUE;

  private final Prefix prefix;

  TopicResponses(Prefix prefix) {
    this.prefix = prefix;
  }

  void addTo(Rows rows) {
    int byName = TopicRequests.LAST_BY_NAME;
    rows.add(ApiKeys.PRODUCE, ProduceResponseData.class, 3, byName, this::produce)
        .add(ApiKeys.FETCH, FetchResponseData.class, 4, byName, this::fetch)
        .add(ApiKeys.LIST_OFFSETS, ListOffsetsResponseData.class, this::listOffsets)
        .add(ApiKeys.METADATA, MetadataResponseData.class, this::metadata)
        .add(ApiKeys.DELETE_RECORDS, DeleteRecordsResponseData.class, this::deleteRecords)
        .add(ApiKeys.CREATE_TOPICS, CreateTopicsResponseData.class, this::createTopics)
        .add(ApiKeys.DELETE_TOPICS, DeleteTopicsResponseData.class, this::deleteTopics)
        .add(ApiKeys.CREATE_PARTITIONS, CreatePartitionsResponseData.class, this::createPartitions)
        .add(
            ApiKeys.OFFSET_FOR_LEADER_EPOCH,
            OffsetForLeaderEpochResponseData.class,
            this::offsetForLeaderEpoch)
        .add(ApiKeys.DESCRIBE_PRODUCERS, DescribeProducersResponseData.class, this::producers)
        .add(
            ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
            DescribeTopicPartitionsResponseData.class,
            this::describeTopicPartitions);
    addPlacementTo(rows);
  }

  /** Where replicas and leaders are. */
  private void addPlacementTo(Rows rows) {
    rows.add(ApiKeys.ELECT_LEADERS, ElectLeadersResponseData.class, this::electLeaders)
        .add(
            ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
            AlterPartitionReassignmentsResponseData.class,
            this::reassign)
        .add(
            ApiKeys.LIST_PARTITION_REASSIGNMENTS,
            ListPartitionReassignmentsResponseData.class,
            this::listReassignments)
        .add(
            ApiKeys.ALTER_REPLICA_LOG_DIRS,
            AlterReplicaLogDirsResponseData.class,
            this::alterLogDirs)
        .add(ApiKeys.DESCRIBE_LOG_DIRS, DescribeLogDirsResponseData.class, this::logDirs);
  }

  private void produce(ProduceResponseData body, Exchange exchange) {
    Prefix.rename(body.responses(), topic -> topic.setName(prefix.in(topic.name())));
  }

  private void fetch(FetchResponseData body, Exchange exchange) {
    body.responses().forEach(topic -> topic.setTopic(prefix.in(topic.topic())));
  }

  private void listOffsets(ListOffsetsResponseData body, Exchange exchange) {
    body.topics().forEach(topic -> topic.setName(prefix.in(topic.name())));
  }

  private void metadata(MetadataResponseData body, Exchange exchange) {
    boolean byIds = exchange.kept(TopicRequests.AskedByIds.class) != null;
    body.topics().removeIf(topic -> !byIds && !prefix.owns(topic.name()));
    Prefix.rename(body.topics(), this::rename);
  }

  /** Whoever asks for another's topic by its id learns what he would learn of one that is not. */
  private void rename(MetadataResponseTopic topic) {
    var name = topic.name();
    topic.setName(prefix.inOrNull(name));
    if (name != null && !prefix.owns(name)) {
      topic
          .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code())
          .setIsInternal(false)
          .setPartitions(List.of())
          .setTopicAuthorizedOperations(NO_OPERATIONS);
    }
  }

  private void deleteRecords(DeleteRecordsResponseData body, Exchange exchange) {
    Prefix.rename(body.topics(), topic -> topic.setName(prefix.in(topic.name())));
  }

  private void createTopics(CreateTopicsResponseData body, Exchange exchange) {
    Prefix.rename(body.topics(), topic -> topic.setName(prefix.in(topic.name())));
  }

  /** A topic that was told by an id that nobody has comes back without a name. */
  private void deleteTopics(DeleteTopicsResponseData body, Exchange exchange) {
    boolean byIds = exchange.apiVersion() >= TopicRequests.FIRST_DELETE_BY_ID;
    Prefix.rename(
        body.responses(),
        topic -> topic.setName(byIds ? prefix.inOrNull(topic.name()) : prefix.in(topic.name())));
  }

  private void createPartitions(CreatePartitionsResponseData body, Exchange exchange) {
    body.results().forEach(topic -> topic.setName(prefix.in(topic.name())));
  }

  private void offsetForLeaderEpoch(OffsetForLeaderEpochResponseData body, Exchange exchange) {
    Prefix.rename(body.topics(), topic -> topic.setTopic(prefix.in(topic.topic())));
  }

  private void producers(DescribeProducersResponseData body, Exchange exchange) {
    body.topics().forEach(topic -> topic.setName(prefix.in(topic.name())));
  }

  /** Another's topic as the next one says that there is none of the tenant's left. */
  private void describeTopicPartitions(
      DescribeTopicPartitionsResponseData body, Exchange exchange) {
    body.topics().removeIf(topic -> topic.name() != null && !isNamed(topic.name()));
    Prefix.rename(body.topics(), topic -> topic.setName(prefix.inOrNull(topic.name())));
    var next = body.nextCursor();
    if (next != null) {
      body.setNextCursor(
          prefix.owns(next.topicName()) ? next.setTopicName(prefix.in(next.topicName())) : null);
    }
  }

  /** Whether it is one of the tenant's; the prefix alone is where a listing began. */
  private boolean isNamed(String name) {
    return prefix.owns(name) && !name.equals(prefix.text());
  }

  private void electLeaders(ElectLeadersResponseData body, Exchange exchange) {
    body.setReplicaElectionResults(
        prefix.own(body.replicaElectionResults(), ReplicaElectionResult::topic));
    body.replicaElectionResults().forEach(topic -> topic.setTopic(prefix.in(topic.topic())));
  }

  private void reassign(AlterPartitionReassignmentsResponseData body, Exchange exchange) {
    body.responses().forEach(topic -> topic.setName(prefix.in(topic.name())));
  }

  private void listReassignments(ListPartitionReassignmentsResponseData body, Exchange exchange) {
    body.setTopics(prefix.own(body.topics(), OngoingTopicReassignment::name));
    body.topics().forEach(topic -> topic.setName(prefix.in(topic.name())));
  }

  private void alterLogDirs(AlterReplicaLogDirsResponseData body, Exchange exchange) {
    body.results().forEach(topic -> topic.setTopicName(prefix.in(topic.topicName())));
  }

  private void logDirs(DescribeLogDirsResponseData body, Exchange exchange) {
    for (var dir : body.results()) {
      dir.setTopics(prefix.own(dir.topics(), DescribeLogDirsTopic::name));
      dir.topics().forEach(topic -> topic.setName(prefix.in(topic.name())));
    }
  }
}
