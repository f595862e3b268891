package dev.sluice.filters.prefix;

import com.google.re2j.PatternSyntaxException;
import dev.sluice.filter.Exchange;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareGroupDescribeRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Requests about groups: their ids and topics get the prefix. */
final class GroupRequests {

  /** OffsetCommit and OffsetFetch name topics up to here, and tell their ids after. */
  static final int LAST_OFFSETS_BY_NAME = 9;

  /** OffsetFetch asks about several groups from here on. */
  static final int FIRST_FETCH_OF_GROUPS = 8;

  /** FindCoordinator asks about several keys from here on. */
  static final int FIRST_FIND_OF_KEYS = 4;

  private final Prefix prefix;

  GroupRequests(Prefix prefix) {
    this.prefix = prefix;
  }

  void addTo(Rows rows) {
    rows.add(ApiKeys.FIND_COORDINATOR, FindCoordinatorRequestData.class, this::findCoordinator)
        .add(ApiKeys.OFFSET_COMMIT, OffsetCommitRequestData.class, this::commit)
        .add(ApiKeys.OFFSET_FETCH, OffsetFetchRequestData.class, this::fetch)
        .add(ApiKeys.OFFSET_DELETE, OffsetDeleteRequestData.class, this::delete)
        .add(
            ApiKeys.DESCRIBE_GROUPS,
            DescribeGroupsRequestData.class,
            (body, _) -> body.setGroups(prefix.out(body.groups())))
        .add(
            ApiKeys.DELETE_GROUPS,
            DeleteGroupsRequestData.class,
            (body, _) -> body.setGroupsNames(prefix.out(body.groupsNames())))
        .add(
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            ConsumerGroupDescribeRequestData.class,
            (body, _) -> body.setGroupIds(prefix.out(body.groupIds())))
        .judge(
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            ConsumerGroupHeartbeatRequestData.class,
            this::heartbeat);
    addClassicTo(rows);
    addShareTo(rows);
  }

  private void addClassicTo(Rows rows) {
    rows.add(ApiKeys.JOIN_GROUP, JoinGroupRequestData.class, this::join)
        .add(ApiKeys.SYNC_GROUP, SyncGroupRequestData.class, this::sync)
        .add(
            ApiKeys.HEARTBEAT,
            HeartbeatRequestData.class,
            (body, _) -> body.setGroupId(prefix.out(body.groupId())))
        .add(
            ApiKeys.LEAVE_GROUP,
            LeaveGroupRequestData.class,
            (body, _) -> body.setGroupId(prefix.out(body.groupId())));
  }

  private void addShareTo(Rows rows) {
    rows.add(
            ApiKeys.SHARE_GROUP_HEARTBEAT,
            ShareGroupHeartbeatRequestData.class,
            (body, _) ->
                body.setGroupId(prefix.out(body.groupId()))
                    .setSubscribedTopicNames(prefix.outOrNull(body.subscribedTopicNames())))
        .add(
            ApiKeys.SHARE_GROUP_DESCRIBE,
            ShareGroupDescribeRequestData.class,
            (body, _) -> body.setGroupIds(prefix.out(body.groupIds())))
        .add(
            ApiKeys.SHARE_FETCH,
            ShareFetchRequestData.class,
            (body, _) -> body.setGroupId(prefix.outOrNull(body.groupId())))
        .add(
            ApiKeys.SHARE_ACKNOWLEDGE,
            ShareAcknowledgeRequestData.class,
            (body, _) -> body.setGroupId(prefix.outOrNull(body.groupId())))
        .add(
            ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS,
            DescribeShareGroupOffsetsRequestData.class,
            this::describeShareOffsets)
        .add(
            ApiKeys.ALTER_SHARE_GROUP_OFFSETS,
            AlterShareGroupOffsetsRequestData.class,
            this::alterShareOffsets)
        .add(
            ApiKeys.DELETE_SHARE_GROUP_OFFSETS,
            DeleteShareGroupOffsetsRequestData.class,
            this::deleteShareOffsets);
  }

  /** A key is a group's id, a transactional id, or begins with the id of a share group. */
  private void findCoordinator(FindCoordinatorRequestData body, Exchange exchange) {
    if (exchange.apiVersion() < FIRST_FIND_OF_KEYS) {
      body.setKey(prefix.out(body.key()));
    } else {
      body.setCoordinatorKeys(prefix.out(body.coordinatorKeys()));
    }
  }

  private void commit(OffsetCommitRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()));
    if (exchange.apiVersion() <= LAST_OFFSETS_BY_NAME) {
      body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
    }
  }

  private void fetch(OffsetFetchRequestData body, Exchange exchange) {
    if (exchange.apiVersion() < FIRST_FETCH_OF_GROUPS) {
      body.setGroupId(prefix.out(body.groupId()));
      if (body.topics() != null) {
        body.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
      }
      return;
    }
    for (var group : body.groups()) {
      group.setGroupId(prefix.out(group.groupId()));
      if (group.topics() != null && exchange.apiVersion() <= LAST_OFFSETS_BY_NAME) {
        group.topics().forEach(topic -> topic.setName(prefix.topicOut(topic.name())));
      }
    }
  }

  private void delete(OffsetDeleteRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()));
    Prefix.rename(body.topics(), topic -> topic.setName(prefix.topicOut(topic.name())));
  }

  /**
   * The broker reads subscriptions: it keeps the offsets of what is subscribed, and can turn the
   * group into one of the new protocol.
   */
  private void join(JoinGroupRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()));
    if (ConsumerBytes.PROTOCOL_TYPE.equals(body.protocolType())) {
      for (var protocol : body.protocols()) {
        protocol.setMetadata(ConsumerBytes.subscriptionOut(protocol.metadata(), prefix));
      }
    }
  }

  private void sync(SyncGroupRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()));
    if (ConsumerBytes.mayBe(body.protocolType())) {
      for (var member : body.assignments()) {
        member.setAssignment(ConsumerBytes.assignmentOut(member.assignment(), prefix));
      }
    }
  }

  private @Nullable ApiMessage heartbeat(
      ConsumerGroupHeartbeatRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()))
        .setSubscribedTopicNames(prefix.outOrNull(body.subscribedTopicNames()));
    var regex = body.subscribedTopicRegex();
    if (regex == null || regex.isEmpty()) {
      return null;
    }
    try {
      body.setSubscribedTopicRegex(PrefixedPattern.out(prefix, regex));
      return null;
    } catch (PatternSyntaxException e) {
      return new ConsumerGroupHeartbeatResponseData()
          .setErrorCode(Errors.INVALID_REGULAR_EXPRESSION.code())
          .setErrorMessage(
              "SubscribedTopicRegex `%s` is not a valid regular expression: %s."
                  .formatted(regex, e.getDescription()));
    }
  }

  private void describeShareOffsets(DescribeShareGroupOffsetsRequestData body, Exchange exchange) {
    for (var group : body.groups()) {
      group.setGroupId(prefix.out(group.groupId()));
      if (group.topics() != null) {
        group.topics().forEach(topic -> topic.setTopicName(prefix.topicOut(topic.topicName())));
      }
    }
  }

  private void alterShareOffsets(AlterShareGroupOffsetsRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()));
    Prefix.rename(body.topics(), topic -> topic.setTopicName(prefix.topicOut(topic.topicName())));
  }

  private void deleteShareOffsets(DeleteShareGroupOffsetsRequestData body, Exchange exchange) {
    body.setGroupId(prefix.out(body.groupId()));
    body.topics().forEach(topic -> topic.setTopicName(prefix.topicOut(topic.topicName())));
  }
}
