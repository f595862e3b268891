package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.AlterReplicaLogDirsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.ElectLeadersRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListPartitionReassignmentsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Requests about topics: their names get the prefix. */
final class TopicRequests {

  /** Produce and Fetch name topics up to here, and tell their ids after. */
  static final int LAST_BY_NAME = 12;

  /** DeleteTopics may tell ids from here on. */
  static final int FIRST_DELETE_BY_ID = 6;

  /** It is kept of a Metadata request that asked for topics by their ids. */
  record AskedByIds() {}

  private final Prefix prefix;

  TopicRequests(Prefix prefix) {
    this.prefix = prefix;
  }

  void addTo(Rows rows) {
    rows.add(ApiKeys.PRODUCE, ProduceRequestData.class, 3, LAST_BY_NAME, this::produce)
        .add(ApiKeys.FETCH, FetchRequestData.class, 4, LAST_BY_NAME, this::fetch)
        .add(ApiKeys.LIST_OFFSETS, ListOffsetsRequestData.class, this::listOffsets)
        .add(ApiKeys.METADATA, MetadataRequestData.class, this::metadata)
        .add(ApiKeys.DELETE_RECORDS, DeleteRecordsRequestData.class, this::deleteRecords)
        .add(ApiKeys.CREATE_TOPICS, CreateTopicsRequestData.class, this::createTopics)
        .add(ApiKeys.DELETE_TOPICS, DeleteTopicsRequestData.class, this::deleteTopics)
        .add(ApiKeys.CREATE_PARTITIONS, CreatePartitionsRequestData.class, this::createPartitions)
        .add(
            ApiKeys.OFFSET_FOR_LEADER_EPOCH,
            OffsetForLeaderEpochRequestData.class,
            this::offsetForLeaderEpoch)
        .add(ApiKeys.DESCRIBE_PRODUCERS, DescribeProducersRequestData.class, this::producers)
        .add(
            ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
            DescribeTopicPartitionsRequestData.class,
            this::describeTopicPartitions);
    addPlacementTo(rows);
  }

  /** Where replicas and leaders are. */
  private void addPlacementTo(Rows rows) {
    rows.add(ApiKeys.ELECT_LEADERS, ElectLeadersRequestData.class, this::electLeaders)
        .add(
            ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
            AlterPartitionReassignmentsRequestData.class,
            this::reassign)
        .add(
            ApiKeys.LIST_PARTITION_REASSIGNMENTS,
            ListPartitionReassignmentsRequestData.class,
            this::listReassignments)
        .add(
            ApiKeys.ALTER_REPLICA_LOG_DIRS,
            AlterReplicaLogDirsRequestData.class,
            this::alterLogDirs)
        .add(ApiKeys.DESCRIBE_LOG_DIRS, DescribeLogDirsRequestData.class, this::logDirs);
  }

  private void produce(ProduceRequestData body, Exchange exchange) {
    body.setTransactionalId(prefix.outOrNull(body.transactionalId()));
    if (exchange.apiVersion() <= LAST_BY_NAME) {
      Prefix.rename(body.topicData(), topic -> topic.setName(prefix.topicOut(topic.name())));
    }
  }

  private void fetch(FetchRequestData body, Exchange exchange) {
    body.topics().forEach(topic -> topic.setTopic(prefix.topicOut(topic.topic())));
    body.forgottenTopicsData().forEach(topic -> topic.setTopic(prefix.topicOut(topic.topic())));
  }

  private void listOffsets(ListOffsetsRequestData body, Exchange exchange) {
    body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
  }

  private void metadata(MetadataRequestData body, Exchange exchange) {
    if (body.topics() == null) {
      return;
    }
    for (var topic : body.topics()) {
      topic.setName(prefix.topicOut(topic.name()));
      if (!topic.topicId().equals(Uuid.ZERO_UUID)) {
        exchange.keep(new AskedByIds());
      }
    }
  }

  private void deleteRecords(DeleteRecordsRequestData body, Exchange exchange) {
    body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
  }

  private void createTopics(CreateTopicsRequestData body, Exchange exchange) {
    Prefix.rename(body.topics(), topic -> topic.setName(prefix.topicOut(topic.name())));
  }

  private void deleteTopics(DeleteTopicsRequestData body, Exchange exchange) {
    body.setTopicNames(prefix.out(body.topicNames()));
    body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
  }

  private void createPartitions(CreatePartitionsRequestData body, Exchange exchange) {
    Prefix.rename(body.topics(), topic -> topic.setName(prefix.topicOut(topic.name())));
  }

  private void offsetForLeaderEpoch(OffsetForLeaderEpochRequestData body, Exchange exchange) {
    Prefix.rename(body.topics(), topic -> topic.setTopic(prefix.topicOut(topic.topic())));
  }

  private void producers(DescribeProducersRequestData body, Exchange exchange) {
    Prefix.rename(body.topics(), topic -> topic.setName(prefix.topicOut(topic.name())));
  }

  /** Brokers list topics in order: who asks for all begins with the first of the tenant's. */
  private void describeTopicPartitions(DescribeTopicPartitionsRequestData body, Exchange exchange) {
    body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
    if (body.cursor() != null) {
      body.cursor().setTopicName(prefix.out(body.cursor().topicName()));
    } else if (body.topics().isEmpty()) {
      body.setCursor(new Cursor().setTopicName(prefix.text()));
    }
  }

  private void electLeaders(ElectLeadersRequestData body, Exchange exchange) {
    Prefix.rename(body.topicPartitions(), topic -> topic.setTopic(prefix.topicOut(topic.topic())));
  }

  private void reassign(AlterPartitionReassignmentsRequestData body, Exchange exchange) {
    body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
  }

  private void listReassignments(ListPartitionReassignmentsRequestData body, Exchange exchange) {
    if (body.topics() != null) {
      body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
    }
  }

  private void alterLogDirs(AlterReplicaLogDirsRequestData body, Exchange exchange) {
    for (var dir : body.dirs()) {
      Prefix.rename(dir.topics(), topic -> topic.setName(prefix.topicOut(topic.name())));
    }
  }

  private void logDirs(DescribeLogDirsRequestData body, Exchange exchange) {
    Prefix.rename(body.topics(), topic -> topic.setTopic(prefix.topicOut(topic.topic())));
  }
}
