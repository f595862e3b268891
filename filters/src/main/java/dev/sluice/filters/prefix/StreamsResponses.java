package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import java.util.List;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TopologyDescription;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData.TopologyDescriptionNode;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/** Responses about streams groups (KIP-1071): ids and the topics of topologies lose the prefix. */
final class StreamsResponses {

  private final Prefix prefix;

  StreamsResponses(Prefix prefix) {
    this.prefix = prefix;
  }

  void addTo(Rows rows) {
    rows.add(
            ApiKeys.STREAMS_GROUP_HEARTBEAT,
            StreamsGroupHeartbeatResponseData.class,
            this::heartbeat)
        .add(
            ApiKeys.STREAMS_GROUP_DESCRIBE, StreamsGroupDescribeResponseData.class, this::describe);
  }

  private void heartbeat(StreamsGroupHeartbeatResponseData body, Exchange exchange) {
    if (body.partitionsByUserEndpoint() == null) {
      return;
    }
    for (var endpoint : body.partitionsByUserEndpoint()) {
      endpoint
          .setActivePartitions(in(endpoint.activePartitions()))
          .setStandbyPartitions(in(endpoint.standbyPartitions()));
    }
  }

  private List<TopicPartition> in(List<TopicPartition> topics) {
    var own = prefix.own(topics, TopicPartition::topic);
    own.forEach(topic -> topic.setTopic(prefix.in(topic.topic())));
    return own;
  }

  private void describe(StreamsGroupDescribeResponseData body, Exchange exchange) {
    for (var group : body.groups()) {
      group.setGroupId(prefix.in(group.groupId()));
      if (group.topology() != null) {
        group.topology().subtopologies().forEach(this::rename);
      }
      rename(group.topologyDescription());
    }
  }

  private void rename(Subtopology part) {
    part.setSourceTopics(prefix.in(part.sourceTopics()))
        .setRepartitionSinkTopics(prefix.in(part.repartitionSinkTopics()));
    part.stateChangelogTopics().forEach(topic -> topic.setName(prefix.in(topic.name())));
    part.repartitionSourceTopics().forEach(topic -> topic.setName(prefix.in(topic.name())));
  }

  private void rename(@Nullable TopologyDescription description) {
    if (description == null) {
      return;
    }
    for (var part : description.subtopologies()) {
      part.nodes().forEach(this::rename);
    }
    for (var store : description.globalStores()) {
      rename(store.source());
      rename(store.processor());
    }
  }

  private void rename(TopologyDescriptionNode node) {
    node.setSourceTopics(prefix.in(node.sourceTopics()))
        .setSinkTopic(prefix.inOrNull(node.sinkTopic()));
  }
}
