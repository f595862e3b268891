package dev.sluice.filters.prefix;

import com.google.re2j.PatternSyntaxException;
import dev.sluice.filter.Exchange;
import java.util.ArrayList;
import org.apache.kafka.common.message.StreamsGroupDescribeRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData.Subtopology;
import org.apache.kafka.common.message.StreamsGroupHeartbeatResponseData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData;
import org.apache.kafka.common.message.StreamsGroupTopologyDescriptionUpdateRequestData.TopologyDescriptionNode;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Requests about streams groups (KIP-1071): ids and the topics of topologies get the prefix. */
final class StreamsRequests {

  private final Prefix prefix;

  StreamsRequests(Prefix prefix) {
    this.prefix = prefix;
  }

  void addTo(Rows rows) {
    rows.judge(
            ApiKeys.STREAMS_GROUP_HEARTBEAT,
            StreamsGroupHeartbeatRequestData.class,
            this::heartbeat)
        .add(
            ApiKeys.STREAMS_GROUP_DESCRIBE,
            StreamsGroupDescribeRequestData.class,
            (body, _) -> body.setGroupIds(prefix.out(body.groupIds())))
        .add(
            ApiKeys.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE,
            StreamsGroupTopologyDescriptionUpdateRequestData.class,
            this::describeTopology);
  }

  private @Nullable ApiMessage heartbeat(StreamsGroupHeartbeatRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()));
    if (body.topology() == null) {
      return null;
    }
    try {
      body.topology().subtopologies().forEach(this::rename);
      return null;
    } catch (PatternSyntaxException e) {
      return new StreamsGroupHeartbeatResponseData()
          .setErrorCode(Errors.STREAMS_INVALID_TOPOLOGY.code())
          .setErrorMessage(
              "Source topic regex `%s` is not a valid regular expression: %s."
                  .formatted(e.getPattern(), e.getDescription()));
    }
  }

  private void rename(Subtopology part) {
    part.setSourceTopics(prefix.out(part.sourceTopics()))
        .setRepartitionSinkTopics(prefix.out(part.repartitionSinkTopics()));
    part.stateChangelogTopics().forEach(topic -> topic.setName(prefix.out(topic.name())));
    part.repartitionSourceTopics().forEach(topic -> topic.setName(prefix.out(topic.name())));
    var patterns = new ArrayList<String>();
    for (var pattern : part.sourceTopicRegex()) {
      patterns.add(PrefixedPattern.out(prefix, pattern));
    }
    part.setSourceTopicRegex(patterns);
  }

  private void describeTopology(
      StreamsGroupTopologyDescriptionUpdateRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()));
    if (body.topologyDescription() == null) {
      return;
    }
    for (var part : body.topologyDescription().subtopologies()) {
      part.nodes().forEach(this::rename);
    }
    for (var store : body.topologyDescription().globalStores()) {
      rename(store.source());
      rename(store.processor());
    }
  }

  private void rename(TopologyDescriptionNode node) {
    node.setSourceTopics(prefix.out(node.sourceTopics()))
        .setSinkTopic(prefix.outOrNull(node.sinkTopic()));
  }
}
