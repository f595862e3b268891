package dev.sluice.protocol;

import dev.sluice.protocol.Refusal.AnswerError;
import dev.sluice.protocol.Refusal.AnswerNothing;
import dev.sluice.protocol.Refusal.ForwardElseClose;
import dev.sluice.protocol.Refusal.ForwardElseError;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * The table of refusals, as data. What clients do with an answer was read and measured: the Java
 * client, librdkafka, sarama, franz-go and kafkajs. The first row of an API that fits holds.
 */
final class RefusalTable {

  /**
   * @param newest the newest version that the row is for; {@link Short#MAX_VALUE} for all to come
   * @param trait null for any
   */
  record Row(short newest, @Nullable RequestTrait trait, Refusal refusal) {

    boolean fits(short version, RequestTrait asked) {
      return version <= newest && (trait == null || trait == asked);
    }
  }

  private static final Refusal OTHER =
      new ForwardElseClose("nobody is known to take an error for it quietly");

  private final Map<ApiKeys, List<Row>> rows = new EnumMap<>(ApiKeys.class);

  RefusalTable() {
    records();
    lookUps();
    groups();
    shares();
    administration();
    transactions();
  }

  /** In the order in which they are tried; the last one fits whatever comes. */
  List<Row> rows(ApiKeys key) {
    return rows.getOrDefault(key, List.of(new Row(Short.MAX_VALUE, null, OTHER)));
  }

  private void records() {
    when(
        ApiKeys.PRODUCE,
        RequestTrait.UNANSWERED,
        new ForwardElseClose("there is no response: what is not forwarded is lost"));
    always(
        error(
            Errors.NOT_LEADER_OR_FOLLOWER,
            "retried by every client; it reorders what is not idempotent, hence a last resort"),
        ApiKeys.PRODUCE);
    always(
        new AnswerNothing("quiet in all clients, as long as the fetch session keeps its id"),
        ApiKeys.FETCH);
    always(
        error(Errors.NOT_LEADER_OR_FOLLOWER, "metadata is looked up again, and the leader asked"),
        ApiKeys.LIST_OFFSETS,
        ApiKeys.OFFSET_FOR_LEADER_EPOCH,
        ApiKeys.DELETE_RECORDS,
        ApiKeys.DESCRIBE_PRODUCERS);
  }

  private void lookUps() {
    always(
        new ForwardElseClose("short, and its answer says where and how to go on"),
        ApiKeys.METADATA,
        ApiKeys.API_VERSIONS,
        ApiKeys.DESCRIBE_CLUSTER);
    always(
        new ForwardElseError(
            Errors.COORDINATOR_NOT_AVAILABLE.code(),
            "looked up again; NOT_COORDINATOR would be fatal in Java's admin client"),
        ApiKeys.FIND_COORDINATOR);
    always(
        new ForwardElseClose("an error would be fatal: complete, or close before it starts"),
        ApiKeys.SASL_HANDSHAKE,
        ApiKeys.SASL_AUTHENTICATE);
    always(
        new ForwardElseClose("telemetry: losing a push is silent"),
        ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS,
        ApiKeys.PUSH_TELEMETRY);
  }

  private void groups() {
    always(
        new ForwardElseError(
            Errors.NOT_COORDINATOR.code(), "short, and a commit that is done need not be repeated"),
        ApiKeys.OFFSET_COMMIT);
    upTo(
        1,
        new ForwardElseClose("version 1 has no place for an error of the group"),
        ApiKeys.OFFSET_FETCH);
    always(coordinator("the coordinator is looked up, and asked"), ApiKeys.OFFSET_FETCH);
    always(
        coordinator(
            "the coordinator is looked up; COORDINATOR_LOAD_IN_PROGRESS is an exception in Java,"
                + " COORDINATOR_NOT_AVAILABLE makes sarama give up"),
        ApiKeys.JOIN_GROUP,
        ApiKeys.SYNC_GROUP);
    always(
        new ForwardElseClose(
            "any error ends the session in sarama; Java logs an error for LeaveGroup"),
        ApiKeys.HEARTBEAT,
        ApiKeys.LEAVE_GROUP);
    always(
        new ForwardElseError(
            Errors.NOT_COORDINATOR.code(), "short; a code that is not expected is fatal"),
        ApiKeys.CONSUMER_GROUP_HEARTBEAT,
        ApiKeys.SHARE_GROUP_HEARTBEAT,
        ApiKeys.STREAMS_GROUP_HEARTBEAT);
    always(
        coordinator("Java's admin client looks the coordinator up, and asks again"),
        ApiKeys.DESCRIBE_GROUPS,
        ApiKeys.DELETE_GROUPS,
        ApiKeys.OFFSET_DELETE,
        ApiKeys.CONSUMER_GROUP_DESCRIBE,
        ApiKeys.SHARE_GROUP_DESCRIBE,
        ApiKeys.STREAMS_GROUP_DESCRIBE,
        ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS,
        ApiKeys.ALTER_SHARE_GROUP_OFFSETS,
        ApiKeys.DELETE_SHARE_GROUP_OFFSETS);
    always(
        error(Errors.COORDINATOR_NOT_AVAILABLE, "Java's admin client asks that broker again"),
        ApiKeys.LIST_GROUPS,
        ApiKeys.LIST_TRANSACTIONS);
  }

  private void shares() {
    when(
        ApiKeys.SHARE_FETCH,
        RequestTrait.ACKNOWLEDGING,
        new ForwardElseClose("only the broker can take acknowledgements: the application waits"));
    always(new AnswerNothing("quiet, and nothing is lost"), ApiKeys.SHARE_FETCH);
    always(
        new ForwardElseError(
            Errors.COORDINATOR_NOT_AVAILABLE.code(), "only the broker can take acknowledgements"),
        ApiKeys.SHARE_ACKNOWLEDGE);
  }

  private void administration() {
    always(
        error(
            Errors.NOT_CONTROLLER,
            "Java's admin client retries quietly; after a lost answer a repetition would fail"),
        ApiKeys.CREATE_TOPICS,
        ApiKeys.DELETE_TOPICS,
        ApiKeys.CREATE_ACLS,
        ApiKeys.DELETE_ACLS,
        ApiKeys.CREATE_PARTITIONS,
        ApiKeys.INCREMENTAL_ALTER_CONFIGS,
        ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
        ApiKeys.LIST_PARTITION_REASSIGNMENTS,
        ApiKeys.ALTER_USER_SCRAM_CREDENTIALS,
        ApiKeys.UPDATE_FEATURES);
    always(
        new ForwardElseClose("no code is retried"),
        ApiKeys.ALTER_CONFIGS,
        ApiKeys.CREATE_DELEGATION_TOKEN,
        ApiKeys.RENEW_DELEGATION_TOKEN,
        ApiKeys.EXPIRE_DELEGATION_TOKEN,
        ApiKeys.DESCRIBE_DELEGATION_TOKEN,
        ApiKeys.ELECT_LEADERS,
        ApiKeys.DESCRIBE_CLIENT_QUOTAS,
        ApiKeys.ALTER_CLIENT_QUOTAS,
        ApiKeys.UNREGISTER_BROKER,
        ApiKeys.DESCRIBE_ACLS,
        ApiKeys.DESCRIBE_CONFIGS,
        ApiKeys.ALTER_REPLICA_LOG_DIRS,
        ApiKeys.DESCRIBE_LOG_DIRS,
        ApiKeys.DESCRIBE_USER_SCRAM_CREDENTIALS,
        ApiKeys.DESCRIBE_QUORUM,
        ApiKeys.ADD_RAFT_VOTER,
        ApiKeys.REMOVE_RAFT_VOTER,
        ApiKeys.DESCRIBE_TRANSACTIONS,
        ApiKeys.DESCRIBE_TOPIC_PARTITIONS);
  }

  private void transactions() {
    when(
        ApiKeys.INIT_PRODUCER_ID,
        RequestTrait.TRANSACTIONAL,
        coordinator("the coordinator is looked up, and asked"));
    always(
        error(
            Errors.COORDINATOR_LOAD_IN_PROGRESS,
            "asked again; NOT_COORDINATOR makes Java ask for the coordinator of null"),
        ApiKeys.INIT_PRODUCER_ID);
    always(
        coordinator("the coordinator is looked up, and the request repeated"),
        ApiKeys.ADD_PARTITIONS_TO_TXN,
        ApiKeys.ADD_OFFSETS_TO_TXN,
        ApiKeys.END_TXN,
        ApiKeys.TXN_OFFSET_COMMIT);
  }

  private static Refusal coordinator(String because) {
    return error(Errors.NOT_COORDINATOR, because);
  }

  private static Refusal error(Errors error, String because) {
    return new AnswerError(error.code(), because);
  }

  private void when(ApiKeys key, RequestTrait trait, Refusal refusal) {
    add(key, new Row(Short.MAX_VALUE, trait, refusal));
  }

  private void upTo(int newest, Refusal refusal, ApiKeys key) {
    add(key, new Row((short) newest, null, refusal));
  }

  private void always(Refusal refusal, ApiKeys... keys) {
    for (var key : keys) {
      add(key, new Row(Short.MAX_VALUE, null, refusal));
    }
  }

  private void add(ApiKeys key, Row row) {
    rows.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
  }
}
