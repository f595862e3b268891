package dev.sluice.filters.prefix;

import dev.sluice.filter.Exchange;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;

/** Responses about groups: ids and topics lose the prefix; other tenants' are left out. */
final class GroupResponses {

  private final Prefix prefix;

  GroupResponses(Prefix prefix) {
    this.prefix = prefix;
  }

  void addTo(Rows rows) {
    rows.add(
            ApiKeys.FIND_COORDINATOR,
            FindCoordinatorResponseData.class,
            GroupRequests.FIRST_FIND_OF_KEYS,
            ApiKeys.FIND_COORDINATOR.latestVersion(),
            (body, _) -> body.coordinators().forEach(each -> each.setKey(prefix.in(each.key()))))
        .add(
            ApiKeys.OFFSET_COMMIT,
            OffsetCommitResponseData.class,
            ApiKeys.OFFSET_COMMIT.oldestVersion(),
            GroupRequests.LAST_OFFSETS_BY_NAME,
            (body, _) -> body.topics().forEach(topic -> topic.setName(prefix.in(topic.name()))))
        .add(ApiKeys.OFFSET_FETCH, OffsetFetchResponseData.class, this::fetch)
        .add(
            ApiKeys.OFFSET_DELETE,
            OffsetDeleteResponseData.class,
            (body, _) ->
                Prefix.rename(body.topics(), topic -> topic.setName(prefix.in(topic.name()))))
        .add(ApiKeys.LIST_GROUPS, ListGroupsResponseData.class, this::list)
        .add(
            ApiKeys.DELETE_GROUPS,
            DeleteGroupsResponseData.class,
            (body, _) ->
                Prefix.rename(
                    body.results(), group -> group.setGroupId(prefix.in(group.groupId()))))
        .add(
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            ConsumerGroupDescribeResponseData.class,
            this::describe);
    addClassicTo(rows);
    addShareTo(rows);
  }

  private void addClassicTo(Rows rows) {
    rows.add(ApiKeys.JOIN_GROUP, JoinGroupResponseData.class, this::join)
        .add(ApiKeys.SYNC_GROUP, SyncGroupResponseData.class, this::sync)
        .add(ApiKeys.DESCRIBE_GROUPS, DescribeGroupsResponseData.class, this::describeClassic);
  }

  private void addShareTo(Rows rows) {
    rows.add(
            ApiKeys.SHARE_GROUP_DESCRIBE, ShareGroupDescribeResponseData.class, this::describeShare)
        .add(
            ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS,
            DescribeShareGroupOffsetsResponseData.class,
            this::describeShareOffsets)
        .add(
            ApiKeys.ALTER_SHARE_GROUP_OFFSETS,
            AlterShareGroupOffsetsResponseData.class,
            (body, _) ->
                Prefix.rename(
                    body.responses(), topic -> topic.setTopicName(prefix.in(topic.topicName()))))
        .add(
            ApiKeys.DELETE_SHARE_GROUP_OFFSETS,
            DeleteShareGroupOffsetsResponseData.class,
            (body, _) ->
                body.responses()
                    .forEach(topic -> topic.setTopicName(prefix.in(topic.topicName()))));
  }

  private void fetch(OffsetFetchResponseData body, Exchange exchange) {
    body.setTopics(prefix.own(body.topics(), OffsetFetchResponseTopic::name));
    body.topics().forEach(topic -> topic.setName(prefix.in(topic.name())));
    for (var group : body.groups()) {
      group.setGroupId(prefix.in(group.groupId()));
      if (exchange.apiVersion() <= GroupRequests.LAST_OFFSETS_BY_NAME) {
        group.setTopics(prefix.own(group.topics(), OffsetFetchResponseTopics::name));
        group.topics().forEach(topic -> topic.setName(prefix.in(topic.name())));
      }
    }
  }

  private void list(ListGroupsResponseData body, Exchange exchange) {
    body.setGroups(prefix.own(body.groups(), ListedGroup::groupId));
    body.groups().forEach(group -> group.setGroupId(prefix.in(group.groupId())));
  }

  /** Only who leads a group is told of its members. */
  private void join(JoinGroupResponseData body, Exchange exchange) {
    if (ConsumerBytes.mayBe(body.protocolType())) {
      for (var member : body.members()) {
        member.setMetadata(ConsumerBytes.subscriptionIn(member.metadata(), prefix));
      }
    }
  }

  private void sync(SyncGroupResponseData body, Exchange exchange) {
    if (ConsumerBytes.mayBe(body.protocolType())) {
      body.setAssignment(ConsumerBytes.assignmentIn(body.assignment(), prefix));
    }
  }

  private void describeClassic(DescribeGroupsResponseData body, Exchange exchange) {
    for (var group : body.groups()) {
      group.setGroupId(prefix.in(group.groupId()));
      if (ConsumerBytes.PROTOCOL_TYPE.equals(group.protocolType())) {
        for (var member : group.members()) {
          member
              .setMemberMetadata(ConsumerBytes.subscriptionIn(member.memberMetadata(), prefix))
              .setMemberAssignment(ConsumerBytes.assignmentIn(member.memberAssignment(), prefix));
        }
      }
    }
  }

  private void describe(ConsumerGroupDescribeResponseData body, Exchange exchange) {
    for (var group : body.groups()) {
      group.setGroupId(prefix.in(group.groupId()));
      for (var member : group.members()) {
        member
            .setSubscribedTopicNames(prefix.in(member.subscribedTopicNames()))
            .setSubscribedTopicRegex(PrefixedPattern.in(prefix, member.subscribedTopicRegex()));
        rename(member.assignment());
        rename(member.targetAssignment());
      }
    }
  }

  private void rename(ConsumerGroupDescribeResponseData.Assignment assignment) {
    assignment.setTopicPartitions(
        prefix.own(
            assignment.topicPartitions(),
            ConsumerGroupDescribeResponseData.TopicPartitions::topicName));
    for (var topic : assignment.topicPartitions()) {
      topic.setTopicName(prefix.in(topic.topicName()));
    }
  }

  private void describeShare(ShareGroupDescribeResponseData body, Exchange exchange) {
    for (var group : body.groups()) {
      group.setGroupId(prefix.in(group.groupId()));
      for (var member : group.members()) {
        member.setSubscribedTopicNames(prefix.in(member.subscribedTopicNames()));
        var assignment = member.assignment();
        assignment.setTopicPartitions(
            prefix.own(
                assignment.topicPartitions(),
                ShareGroupDescribeResponseData.TopicPartitions::topicName));
        for (var topic : assignment.topicPartitions()) {
          topic.setTopicName(prefix.in(topic.topicName()));
        }
      }
    }
  }

  private void describeShareOffsets(DescribeShareGroupOffsetsResponseData body, Exchange exchange) {
    for (var group : body.groups()) {
      group
          .setGroupId(prefix.in(group.groupId()))
          .setTopics(prefix.own(group.topics(), DescribeShareGroupOffsetsResponseTopic::topicName));
      group.topics().forEach(topic -> topic.setTopicName(prefix.in(topic.topicName())));
    }
  }
}
